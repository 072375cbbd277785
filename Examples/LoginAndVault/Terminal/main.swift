// A program of two screens, as an app on a phone has them: a login that knows which sensor there is, and a vault that only a
// success opens. It is written against the everyday layer and Apple's names alone.
//
// docs/developers/everyday.md says how to try it on a simulated device.

await App().run()
