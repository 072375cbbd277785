// The same screens as the terminal's, in a window: the button of the sensor that is there, what the device waits for, the app's own
// login, and a vault that is locked when one comes back to it. GTK is behind a small door, `CVaultGTK`.
//
// docs/developers/everyday.md shows them, and says how to try it.

await App().run()
