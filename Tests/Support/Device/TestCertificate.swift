import Foundation

/// Certificates made for these tests with the openssl command: a root, a leaf that it signed, and one whose key is here too.
public enum TestCertificate {
    /// CN=Example Root, O=Example; its serial number's first bit is set, so DER puts a zero before it.
    public static let root = data(
        """
        MIIBnjCCAUWgAwIBAgIKAPHi08S1ppeIATAKBggqhkjOPQQDAjApMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QxEDAOBgNVBAoMB0V4YW1wbGUwIB\
        cNMjYxMTIxMTUwNDA0WhgPMjEyNjEwMjgxNTA0MDRaMCkxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDEQMA4GA1UECgwHRXhhbXBsZTBZMBMGByqG\
        SM49AgEGCCqGSM49AwEHA0IABDod4T3nB63JDIYprfSRAHGTcb0iyIF4ga/m0Tre0JabQZwS4sPBTsoisByL2DQsEZTsD/ZJEomZvR7wmhqVLE\
        ujUzBRMB0GA1UdDgQWBBSsqJaCb58z16t/6z/HkVKrtH8DJTAfBgNVHSMEGDAWgBSsqJaCb58z16t/6z/HkVKrtH8DJTAPBgNVHRMBAf8EBTAD\
        AQH/MAoGCCqGSM49BAMCA0cAMEQCIHd1oWsMUhB2m8iS3kp0/X5qakV52RQwrj1kXEJsrtGcAiAD58i8J9nn72sg1dzgkOwDVnO7SDdfGMKJSN\
        kysDkydg==
        """)

    /// CN=Ada Example, with ada@example.org in the subject and ada@example.com beside it; serial number 42.
    public static let leaf = data(
        """
        MIIBzTCCAXOgAwIBAgIBKjAKBggqhkjOPQQDAjApMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QxEDAOBgNVBAoMB0V4YW1wbGUwIBcNMjYxMTIxMT\
        UwNDA1WhgPMjEyNjEwMjgxNTA0MDVaMEgxFDASBgNVBAMMC0FkYSBFeGFtcGxlMRAwDgYDVQQKDAdFeGFtcGxlMR4wHAYJKoZIhvcNAQkBFg9h\
        ZGFAZXhhbXBsZS5vcmcwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT3FxKHJkj4WctOpQBrlCQUguGMw/6bDc0A1z3N2hYjbKTeNmE6XY0kcy\
        T7YTM9E41MxxrbWp7NyHAtWGv6my9Io2swaTAnBgNVHREEIDAegQ9hZGFAZXhhbXBsZS5jb22CC2V4YW1wbGUub3JnMB0GA1UdDgQWBBTwVXIA\
        QBwf91HQPd8UHD7QvPDzzzAfBgNVHSMEGDAWgBSsqJaCb58z16t/6z/HkVKrtH8DJTAKBggqhkjOPQQDAgNIADBFAiAuVfDFM8etu4ipJIt5fg\
        IkvoN27cmnqeIBOagIHezDkwIhAI+eBrc1EdBFu82Y7+tDc8HWN13sBiyAgi6/Etvha/5A
        """)

    /// CN=Own Key, signed with its own key.
    public static let own = data(
        """
        MIIBoDCCAUWgAwIBAgIUZNo+XdgBjWMizBzUutGktbbv/BYwCgYIKoZIzj0EAwIwJDEQMA4GA1UEAwwHT3duIEtleTEQMA4GA1UECgwHRXhhbX\
        BsZTAgFw0yNjExMjExODE1NDlaGA8yMTI2MTAyODE4MTU0OVowJDEQMA4GA1UEAwwHT3duIEtleTEQMA4GA1UECgwHRXhhbXBsZTBZMBMGByqG\
        SM49AgEGCCqGSM49AwEHA0IABJQRpSWOjbocTvo13+UPfFppvIrVVSD4pOtstBItEpyN/XixUMLKUzkYmNZxRmRzYDkZt5dUx/5S6GchsOjoGV\
        6jUzBRMB0GA1UdDgQWBBTqnL55HkOo2Tm9FbFP0q0BVPCYTDAfBgNVHSMEGDAWgBTqnL55HkOo2Tm9FbFP0q0BVPCYTDAPBgNVHRMBAf8EBTAD\
        AQH/MAoGCCqGSM49BAMCA0kAMEYCIQCv1hSDYa81DIbzlJwYZKk1Xy/EtxmJ7AGmW87ho6OzOwIhAM5cMDn7fwuppx5fe1If8g9PhK9MWN6ePp\
        o2s6Ja7+nA
        """)

    /// The private key of `own`, X9.63.
    public static let ownKey = data(
        """
        BJQRpSWOjbocTvo13+UPfFppvIrVVSD4pOtstBItEpyN/XixUMLKUzkYmNZxRmRzYDkZt5dUx/5S6GchsOjoGV4zqK5zQ6tikPiYbE4F+2WZLY\
        fH+wzjAd1VjJ9TpVahkw==
        """)

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
