import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// Plays the table.
    @Suite struct MatrixTests {
        @Test("the table has every sensor, condition, passcode, policy and deed, and each once")
        func complete() {
            var cells: Set<String> = []
            for row in Matrix.rows {
                for half in row.halves {
                    for deed in half.outcomes.keys {
                        cells.insert("\(row.sensor) \(row.condition) \(row.passcode) \(half.policy.rawValue) \(deed)")
                    }
                }
            }
            let deeds = Matrix.Deed.allCases.count
            let rows = Matrix.Sensor.allCases.count * Matrix.Condition.allCases.count * Matrix.Passcode.allCases.count
            #expect(Matrix.rows.count == rows && rows == 24)
            #expect(cells.count == rows * 2 * deeds && cells.count == 240)
        }

        @Test("each cell of the table comes out as it says", arguments: Matrix.rows)
        func row(_ row: Matrix.Row) async {
            for half in row.halves {
                for deed in Matrix.Deed.allCases { await play(deed, row, half) }
            }
        }

        private func play(_ deed: Matrix.Deed, _ row: Matrix.Row, _ half: Matrix.Half) async {
            let place: Comment = "\(row.testDescription), policy \(half.policy.rawValue), \(deed)"
            guard let expected = half.outcomes[deed] else {
                Issue.record(place)
                return
            }
            await withDevice(row.sensor.biometry, enrolled: row.condition == .not ? [] : ["me"]) { device in
                await prepare(device, row)
                let before = device.prompts.count
                #expect(LAContext().preflight(half.policy) == half.preflight.code, place)
                // Whatever stops the preflight stops the evaluation, without a prompt to do anything at.
                let asks = half.preflight.code == nil
                if asks { script(device, deed, row, half.policy) }
                let context = LAContext()
                let code = await context.ask(half.policy)
                #expect(code == expected.code, place)
                #expect(device.prompts.count == before + (asks ? 1 : 0), place)
                if case .success(let byPasscode) = expected {
                    #expect((context.evaluatedPolicyDomainState == nil) == byPasscode, place)
                } else {
                    #expect(context.evaluatedPolicyDomainState == nil, place)
                }
                #expect(context.biometryType == row.sensor.type, place)
            }
        }

        private func prepare(_ device: SimulatedDevice, _ row: Matrix.Row) async {
            switch row.condition {
            case .enrolled, .not: break
            case .denied: device.biometryPermission = false
            case .locked: if row.sensor != .none { await device.lockBiometry() }
            }
            // A lockout takes a passcode to come about, so it goes last.
            if row.passcode == .unset { device.setPasscode(nil) }
        }

        /// What the owner does, as the table's legend says.
        private func script(_ device: SimulatedDevice, _ deed: Matrix.Deed, _ row: Matrix.Row, _ policy: LAPolicy) {
            let passcode = SimulatedDevice.Answer.passcode("1234")
            let byPasscodeToo = policy == .deviceOwnerAuthentication
            let isFace = row.sensor == .face
            switch (deed, row.listens) {
            case (.cancel, _): device.answer(.cancel)
            case (.systemCancel, _): device.answer(.systemCancel)
            case (.match, true): device.answer(.match)
            case (.match, false), (.fallback, false): device.answer(passcode)
            case (.miss, true):
                device.answer(.noMatch, .noMatch)
                if !isFace { device.answer(.noMatch) }
                if byPasscodeToo { device.answer(passcode) } else if isFace { device.answer(.cancel) }
            case (.miss, false): device.answer(.passcode("0000"), .passcode("0001"), .passcode("0002"), passcode)
            case (.fallback, true):
                device.answer(.noMatch)
                if isFace && !byPasscodeToo { device.answer(.noMatch) }
                device.answer(.fallback)
                if byPasscodeToo { device.answer(passcode) }
            }
        }
    }
}
