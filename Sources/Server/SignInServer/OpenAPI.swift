/// docs/openapi.yaml, as it is served. Written by scripts/embed-openapi: the program needs no file beside it.
enum OpenAPI {
    static let bytes = Array((text + "\n").utf8)

    // swift-format-ignore
    private static let text = #"""
        openapi: 3.0.3
        info:
          title: Thumbturn sign-in server
          version: 0.1.0
          description: |
            A device signs this server's challenge with a key that only its owner's finger releases, and the server believes that signature and
            nothing else. What is signed, what each refusal means and every limit stand in docs/developers/sign-in.md.

            All times are seconds since 1970. A body is one JSON object in UTF-8, of the members listed and no others, each of which stands once.
            Bytes travel as base64url without padding, in the one form that decodes and encodes to itself.

            What isn't HTTP, or is larger than the server's room for headers (32 KiB), is answered by its HTTP library: the status is the same,
            the words are its own and text/html.
          license:
            name: Apache-2.0
            url: https://www.apache.org/licenses/LICENSE-2.0
        servers:
          - url: /
        tags:
          - name: accounts
            description: Names and passwords.
          - name: sign-in
            description: Challenges, and what they are good for.
          - name: session
            description: What a token opens.
          - name: devices
            description: An account's devices.
          - name: server
            description: The server itself.
        paths:
          /v1/accounts:
            post:
              operationId: makeAccount
              tags: [accounts]
              summary: Make an account
              description: Only where the server was started with --sign-up.
              security: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/AccountAndPassword'
              responses:
                '201':
                  description: The account is there.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Account'
                '400':
                  $ref: '#/components/responses/Status400'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/sessions:
            post:
              operationId: beginSession
              tags: [accounts]
              summary: Sign in with the password
              security: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/AccountAndPassword'
              responses:
                '201':
                  description: A session of kind `password`.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
            get:
              operationId: listSessions
              tags: [session]
              summary: List the account's sessions
              description: The newest hundred. Their names open nothing, and stay the same when a session is renewed.
              security:
                - session: []
              responses:
                '200':
                  description: The sessions, the newest first.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Sessions'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/sessions/removal:
            post:
              operationId: endSessions
              tags: [session]
              summary: End all other sessions, or one
              description: It takes a proof of the moment, of purpose `end-sessions`. Without `session` all others end, and the asking one goes on under a new token.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/SessionRemoval'
              responses:
                '200':
                  description: All other sessions have ended; this one is in the asking one's place, whose token is done.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '204':
                  description: That session has ended.
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '404':
                  $ref: '#/components/responses/Status404'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/password:
            put:
              operationId: changePassword
              tags: [accounts]
              summary: Change the password, or set one
              description: It takes a proof of the moment, of purpose `change-password`. Other sessions end unless `sessions` says `keep`.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/PasswordChange'
              responses:
                '200':
                  description: A session in the asking one's place, whose token is done.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/password/removal:
            post:
              operationId: removePassword
              tags: [accounts]
              summary: Leave the account to its devices alone
              description: It takes a proof of the moment, of purpose `remove-password`, and a device that can sign in. Other sessions end unless `sessions` says `keep`.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/PasswordRemoval'
              responses:
                '200':
                  description: A session in the asking one's place, whose token is done.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/account/removal:
            post:
              operationId: deleteAccount
              tags: [accounts]
              summary: Delete the account
              description: It takes a proof of the moment, of purpose `delete-account`.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/Proof'
              responses:
                '204':
                  description: The account, its devices and its sessions are gone.
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/challenges:
            post:
              operationId: giveChallenge
              tags: [sign-in]
              summary: Get a challenge
              security: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/ChallengeRequest'
              responses:
                '201':
                  description: 32 bytes that are good once, for a minute, for this account and purpose. Accounts that don't exist get them as well.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Challenge'
                '400':
                  $ref: '#/components/responses/Status400'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/sign-ins:
            post:
              operationId: signIn
              tags: [sign-in]
              summary: Sign in with a finger
              security: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/SignIn'
              responses:
                '201':
                  description: A session of kind `device`.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/session:
            get:
              operationId: readSession
              tags: [session]
              summary: Who am I
              security:
                - session: []
              responses:
                '200':
                  description: The token's session.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Session'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
            delete:
              operationId: endSession
              tags: [session]
              summary: Sign out
              security:
                - session: []
              responses:
                '204':
                  description: The session has ended.
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/session/renewal:
            post:
              operationId: renewSession
              tags: [session]
              summary: Go on for another day
              security:
                - session: []
              responses:
                '201':
                  description: A session in place of the old one, whose token is done.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/NewSession'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/devices:
            get:
              operationId: listDevices
              tags: [devices]
              summary: List the account's devices
              security:
                - session: []
              responses:
                '200':
                  description: All devices, oldest first; of the revoked ones the newest 32.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Devices'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
            post:
              operationId: register
              tags: [devices]
              summary: Register a device
              description: It needs a session that a password began in the last five minutes, and a statement of purpose `register` signed by the new key.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/Registration'
              responses:
                '201':
                  description: The device is registered. Asking again with the same key is answered the same.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/DeviceName'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '422':
                  $ref: '#/components/responses/Status422'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/devices/{device}:
            parameters:
              - name: device
                in: path
                required: true
                description: The device's name.
                schema:
                  $ref: '#/components/schemas/DeviceID'
            patch:
              operationId: rename
              tags: [devices]
              summary: Rename a device
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/Renaming'
              responses:
                '200':
                  description: The device as it is now.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Device'
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '404':
                  $ref: '#/components/responses/Status404'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /v1/devices/{device}/revocation:
            parameters:
              - name: device
                in: path
                required: true
                description: The device's name.
                schema:
                  $ref: '#/components/schemas/DeviceID'
            post:
              operationId: revoke
              tags: [devices]
              summary: Revoke a device
              description: It takes a proof of the moment, of purpose `revoke-device`. The last device of an account without a password isn't revoked.
              security:
                - session: []
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      $ref: '#/components/schemas/Proof'
              responses:
                '204':
                  description: The device is revoked and its sessions have ended.
                '400':
                  $ref: '#/components/responses/Status400'
                '401':
                  $ref: '#/components/responses/Status401'
                '403':
                  $ref: '#/components/responses/Status403'
                '404':
                  $ref: '#/components/responses/Status404'
                '408':
                  $ref: '#/components/responses/Status408'
                '409':
                  $ref: '#/components/responses/Status409'
                '410':
                  $ref: '#/components/responses/Status410'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '415':
                  $ref: '#/components/responses/Status415'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /health:
            get:
              operationId: health
              tags: [server]
              summary: Whether the server and its database answer
              security: []
              responses:
                '200':
                  description: They do.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/json:
                      schema:
                        $ref: '#/components/schemas/Health'
                '400':
                  $ref: '#/components/responses/Status400'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /metrics:
            get:
              operationId: metrics
              tags: [server]
              summary: What is counted
              security: []
              responses:
                '200':
                  description: Prometheus' text format 0.0.4.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    text/plain:
                      schema:
                        $ref: '#/components/schemas/Text'
                '400':
                  $ref: '#/components/responses/Status400'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
          /openapi.yaml:
            get:
              operationId: openAPI
              tags: [server]
              summary: This description
              security: []
              responses:
                '200':
                  description: The very file docs/openapi.yaml.
                  headers:
                    Cache-Control:
                      $ref: '#/components/headers/NoStore'
                  content:
                    application/yaml:
                      schema:
                        $ref: '#/components/schemas/Text'
                '400':
                  $ref: '#/components/responses/Status400'
                '408':
                  $ref: '#/components/responses/Status408'
                '411':
                  $ref: '#/components/responses/Status411'
                '413':
                  $ref: '#/components/responses/Status413'
                '414':
                  $ref: '#/components/responses/Status414'
                '429':
                  $ref: '#/components/responses/Status429'
                '431':
                  $ref: '#/components/responses/Status431'
                '503':
                  $ref: '#/components/responses/Status503'
        components:
          securitySchemes:
            session:
              type: http
              scheme: bearer
              description: The token of a session.
          headers:
            NoStore:
              description: Tokens and lists of devices are nobody's to keep on the way.
              required: true
              schema:
                type: string
                enum: [no-store]
            RetryAfter:
              description: Seconds to wait before asking again.
              required: true
              schema:
                type: integer
                minimum: 1
                maximum: 900
          responses:
            Status400:
              description: What was sent hasn't the form it must have.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [malformed, members, value, statement-malformed, signature-malformed, key-malformed]
                      message:
                        $ref: '#/components/schemas/Message'
                text/html:
                  schema:
                    $ref: '#/components/schemas/Text'
            Status401:
              description: Account and password, the token, the challenge, the device or the signature aren't what they must be. With the code `session` the header WWW-Authenticate says Bearer.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [credentials, session, challenge-unknown, device-unknown, signature]
                      message:
                        $ref: '#/components/schemas/Message'
            Status403:
              description: It was understood, and isn't allowed.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [origin, purpose, challenge-foreign, device-revoked, statement-device, statement-account, not-fresh, closed, account-locked]
                      message:
                        $ref: '#/components/schemas/Message'
            Status404:
              description: The account has no such device or session.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [not-found]
                      message:
                        $ref: '#/components/schemas/Message'
            Status408:
              description: The request took longer than 10 seconds to arrive. The connection is closed.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [slow]
                      message:
                        $ref: '#/components/schemas/Message'
            Status409:
              description: Somebody was there before, or nobody could sign in afterwards.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [challenge-used, account-exists, device-taken, too-many-devices, no-device, last-device]
                      message:
                        $ref: '#/components/schemas/Message'
            Status410:
              description: The challenge's 60 seconds are over.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [challenge-expired]
                      message:
                        $ref: '#/components/schemas/Message'
            Status411:
              description: A body without a length.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [length]
                      message:
                        $ref: '#/components/schemas/Message'
            Status413:
              description: A body of more than 16 KiB.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [too-large]
                      message:
                        $ref: '#/components/schemas/Message'
                text/html:
                  schema:
                    $ref: '#/components/schemas/Text'
            Status414:
              description: A request target of more than 1 KiB.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [target]
                      message:
                        $ref: '#/components/schemas/Message'
                text/html:
                  schema:
                    $ref: '#/components/schemas/Text'
            Status415:
              description: A body that isn't application/json.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [media-type]
                      message:
                        $ref: '#/components/schemas/Message'
            Status422:
              description: The key is one, and not one that can be registered.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [key-unsuitable, key-invalid]
                      message:
                        $ref: '#/components/schemas/Message'
            Status429:
              description: Too many requests of this client, or too many wrong passwords for this account.
              headers:
                Retry-After:
                  $ref: '#/components/headers/RetryAfter'
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [slow-down]
                      message:
                        $ref: '#/components/schemas/Message'
            Status431:
              description: Headers of more than 8 KiB.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [headers]
                      message:
                        $ref: '#/components/schemas/Message'
                text/html:
                  schema:
                    $ref: '#/components/schemas/Text'
            Status503:
              description: The server has as much to do as it takes on, or its database doesn't answer.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [error, message]
                    properties:
                      error:
                        type: string
                        enum: [busy]
                      message:
                        $ref: '#/components/schemas/Message'
          schemas:
            Message:
              type: string
              description: For people; the words may change. Nothing that a client sent stands in them.
              minLength: 1
              maxLength: 200
            Text:
              type: string
            Time:
              type: integer
              format: int64
              description: Seconds since 1970.
              minimum: 0
            AccountName:
              type: string
              description: 1 to 128 visible characters of ASCII.
              minLength: 1
              maxLength: 128
              pattern: '^[!-~]+$'
            Password:
              type: string
              format: password
              description: 1 to 256 characters.
              minLength: 1
              maxLength: 256
            Purpose:
              type: string
              enum: [sign-in, register, change-password, remove-password, end-sessions, revoke-device, delete-account]
            Bytes32:
              type: string
              description: 32 bytes in base64url.
              minLength: 43
              maxLength: 43
              pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
            DeviceID:
              type: string
              description: SHA-256 of the key's SubjectPublicKeyInfo, in base64url.
              minLength: 43
              maxLength: 43
              pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
            Name:
              type: string
              description: 1 to 64 characters, none of them a control character.
              minLength: 1
              maxLength: 64
              pattern: '^[^\u0000-\u001f\u007f-\u009f]+$'
            Protection:
              type: string
              description: What the device says of its key, at most 256 bytes without control characters. Nobody has verified it, and it decides nothing.
              maxLength: 256
              pattern: '^[^\u0000-\u001f\u007f-\u009f]*$'
            Statement:
              type: string
              description: What was signed, six lines. A port is at most 65535, and not the scheme's own; a host whose last label is a number is an address.
              minLength: 168
              maxLength: 549
              pattern: '^thumbturn sign-in 1\norigin (https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]{2,39}\])|http://(localhost|127\.0\.0\.1|\[::1\]))(:[1-9][0-9]{0,4})?\naccount [!-~]{1,128}\npurpose (sign-in|register|change-password|remove-password|end-sessions|revoke-device|delete-account)\nchallenge [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]\ndevice [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]\n$'
            Signature:
              type: string
              description: ECDSA over SHA-256 of the statement, in DER, in base64url.
              minLength: 11
              maxLength: 96
              pattern: '^M[A-Za-z0-9_-]+$'
            Key:
              type: string
              description: A key of P-256 as a SubjectPublicKeyInfo in PEM, or in base64url as DER or an uncompressed point.
              minLength: 87
              maxLength: 16000
              anyOf:
                - title: PEM
                  pattern: '^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=]{1,64}\r?\n)+-----END PUBLIC KEY-----(\r?\n)?$'
                - title: DER
                  pattern: '^M[A-Za-z0-9_-]+$'
                - title: an uncompressed point
                  pattern: '^B[A-Za-z0-9_-]{86}$'
            Account:
              type: object
              additionalProperties: false
              required: [account]
              properties:
                account:
                  $ref: '#/components/schemas/AccountName'
            AccountAndPassword:
              type: object
              additionalProperties: false
              required: [account, password]
              properties:
                account:
                  $ref: '#/components/schemas/AccountName'
                password:
                  $ref: '#/components/schemas/Password'
            ChallengeRequest:
              type: object
              additionalProperties: false
              required: [account, purpose]
              properties:
                account:
                  $ref: '#/components/schemas/AccountName'
                purpose:
                  $ref: '#/components/schemas/Purpose'
            Challenge:
              type: object
              additionalProperties: false
              required: [challenge, expires]
              properties:
                challenge:
                  $ref: '#/components/schemas/Bytes32'
                expires:
                  $ref: '#/components/schemas/Time'
            SignIn:
              type: object
              additionalProperties: false
              required: [statement, signature]
              properties:
                statement:
                  $ref: '#/components/schemas/Statement'
                signature:
                  $ref: '#/components/schemas/Signature'
            NewSession:
              type: object
              additionalProperties: false
              required: [token, account, kind, expires]
              properties:
                token:
                  $ref: '#/components/schemas/Bytes32'
                account:
                  $ref: '#/components/schemas/AccountName'
                kind:
                  $ref: '#/components/schemas/Kind'
                expires:
                  $ref: '#/components/schemas/Time'
            Kind:
              type: string
              description: How it was begun. What each is good for is the app's own rule.
              enum: [password, device]
            Session:
              type: object
              additionalProperties: false
              required: [account, kind, expires]
              properties:
                account:
                  $ref: '#/components/schemas/AccountName'
                kind:
                  $ref: '#/components/schemas/Kind'
                device:
                  $ref: '#/components/schemas/DeviceID'
                expires:
                  $ref: '#/components/schemas/Time'
                fresh_until:
                  $ref: '#/components/schemas/Time'
            Proof:
              description: What shows that the owner is there now. The password, or a statement of the act's own purpose, signed over a challenge of the last minute.
              oneOf:
                - title: by the password
                  type: object
                  additionalProperties: false
                  required: [password]
                  properties:
                    password:
                      $ref: '#/components/schemas/Password'
                - title: by a device
                  type: object
                  additionalProperties: false
                  required: [statement, signature]
                  properties:
                    statement:
                      $ref: '#/components/schemas/Statement'
                    signature:
                      $ref: '#/components/schemas/Signature'
            PasswordChange:
              description: The new password, with a proof.
              oneOf:
                - title: by the password
                  type: object
                  additionalProperties: false
                  required: [new_password, password]
                  properties:
                    new_password:
                      $ref: '#/components/schemas/Password'
                    sessions:
                      $ref: '#/components/schemas/OtherSessions'
                    password:
                      $ref: '#/components/schemas/Password'
                - title: by a device
                  type: object
                  additionalProperties: false
                  required: [new_password, statement, signature]
                  properties:
                    new_password:
                      $ref: '#/components/schemas/Password'
                    sessions:
                      $ref: '#/components/schemas/OtherSessions'
                    statement:
                      $ref: '#/components/schemas/Statement'
                    signature:
                      $ref: '#/components/schemas/Signature'
            PasswordRemoval:
              description: What becomes of other sessions, with a proof.
              oneOf:
                - title: by the password
                  type: object
                  additionalProperties: false
                  required: [password]
                  properties:
                    sessions:
                      $ref: '#/components/schemas/OtherSessions'
                    password:
                      $ref: '#/components/schemas/Password'
                - title: by a device
                  type: object
                  additionalProperties: false
                  required: [statement, signature]
                  properties:
                    sessions:
                      $ref: '#/components/schemas/OtherSessions'
                    statement:
                      $ref: '#/components/schemas/Statement'
                    signature:
                      $ref: '#/components/schemas/Signature'
            SessionRemoval:
              description: A session, or none for all others, with a proof.
              oneOf:
                - title: by the password
                  type: object
                  additionalProperties: false
                  required: [password]
                  properties:
                    session:
                      $ref: '#/components/schemas/SessionName'
                    password:
                      $ref: '#/components/schemas/Password'
                - title: by a device
                  type: object
                  additionalProperties: false
                  required: [statement, signature]
                  properties:
                    session:
                      $ref: '#/components/schemas/SessionName'
                    statement:
                      $ref: '#/components/schemas/Statement'
                    signature:
                      $ref: '#/components/schemas/Signature'
            OtherSessions:
              type: string
              description: What becomes of the account's other sessions; they end where it isn't said.
              enum: [end, keep]
            SessionName:
              type: string
              description: What a session is called in lists, 24 bytes in base64url.
              minLength: 32
              maxLength: 32
              pattern: '^[A-Za-z0-9_-]{32}$'
            ListedSession:
              type: object
              additionalProperties: false
              required: [session, kind, began, expires, current]
              properties:
                session:
                  $ref: '#/components/schemas/SessionName'
                kind:
                  $ref: '#/components/schemas/Kind'
                device:
                  $ref: '#/components/schemas/DeviceID'
                began:
                  $ref: '#/components/schemas/Time'
                expires:
                  $ref: '#/components/schemas/Time'
                current:
                  type: boolean
                  description: Whether it is the one that asked.
            Sessions:
              type: object
              additionalProperties: false
              required: [sessions]
              properties:
                sessions:
                  type: array
                  maxItems: 100
                  items:
                    $ref: '#/components/schemas/ListedSession'
            Registration:
              type: object
              additionalProperties: false
              required: [key, name, statement, signature]
              properties:
                key:
                  $ref: '#/components/schemas/Key'
                name:
                  $ref: '#/components/schemas/Name'
                protection:
                  $ref: '#/components/schemas/Protection'
                statement:
                  $ref: '#/components/schemas/Statement'
                signature:
                  $ref: '#/components/schemas/Signature'
            DeviceName:
              type: object
              additionalProperties: false
              required: [device]
              properties:
                device:
                  $ref: '#/components/schemas/DeviceID'
            Renaming:
              type: object
              additionalProperties: false
              required: [name]
              properties:
                name:
                  $ref: '#/components/schemas/Name'
            Device:
              type: object
              additionalProperties: false
              required: [device, name, registered, protection, protection_verified]
              properties:
                device:
                  $ref: '#/components/schemas/DeviceID'
                name:
                  $ref: '#/components/schemas/Name'
                registered:
                  $ref: '#/components/schemas/Time'
                last_used:
                  $ref: '#/components/schemas/Time'
                revoked:
                  $ref: '#/components/schemas/Time'
                protection:
                  $ref: '#/components/schemas/Protection'
                protection_verified:
                  type: boolean
                  enum: [false]
            Devices:
              type: object
              additionalProperties: false
              required: [devices]
              properties:
                devices:
                  type: array
                  items:
                    $ref: '#/components/schemas/Device'
            Health:
              type: object
              additionalProperties: false
              required: [status]
              properties:
                status:
                  type: string
                  enum: [ok]
        """#
}
