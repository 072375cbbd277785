// Written by scripts/write-languages from the files in Languages: change those and run the script.

/// The languages that prompts speak, by the names that locales have for them.
public enum PromptLanguage: String, Sendable, Hashable, CaseIterable {
    case de
    case en
    case es
    case fr
    case ja
    case zhCN = "zh_CN"

    /// What it says.
    var texts: [PromptText: String] {
        switch self {
        case .de: deTexts
        case .en: enTexts
        case .es: esTexts
        case .fr: frTexts
        case .ja: jaTexts
        case .zhCN: zhCNTexts
        }
    }
}

/// Everything that a prompt may say, by the key that it has in each language's file.
enum PromptText: Hashable, CaseIterable {
    case asks
    case asking
    case askingSandboxed
    case askingProtected
    case ownWords
    case ourWords
    case systemWords
    case hidden
    case placeSystem
    case placeChangeable
    case placeGone
    case placeElsewhere
    case placeUnseen
    case interpreter
    case runs
    case commands
    case claim
    case knownSandboxed
    case knownProtected
    case signIn
    case signInRegister
    case signInChangePassword
    case signInRemovePassword
    case signInEndSessions
    case signInRevokeDevice
    case signInDeleteAccount
    case account
    case polkitAction
    case polkitVendor
    case polkitCommand
    case polkitAsker
    case polkitKept
    case cancel
    case cancelKey
    case accept
    case fallback
    case dismiss
    case dismissKey
    case sensorFingerOrPasscode
    case sensorFingerOrPassword
    case sensorFinger
    case sensorFaceOrPasscode
    case sensorFace
    case sensorNone
    case passcodeChoose
    case passcodeRepeat
    case passcodeWait
    case companionAsksFrom
    case companionMayAnswer
    case noticeMissed
    case noticeMissedLeft
    case noticeAgain
    case noticeTooShort
    case noticeCentre
    case noticeLift
    case noticeWrongPasscode
    case noticeWrongPassword
    case noticeUnchecked
    case noticePasswordUnchecked
    case noticeTpmWaits
    case noticeLocked
    case noticeFingerLocked
    case noticeDiffer
    case noticeLength
    case noticeQuestion
    case noticePasswordChanged
    case noticePasswordExpired
    case noticeAccountLocked
    case fieldPasscode
    case fieldAccount
    case fieldSystem
    case fieldNew
    case fieldAgain
    case fieldAnswer
    case capsLock
    case reveal
    case conceal
    case pictureFinger
    case pictureFace
    case picturePasscode
    case othersOne
    case othersMore
    case beforeOne
    case beforeMore
    case failed
    case cancelled
    case takenBack
}

private let deTexts: [PromptText: String] = [
    .asks: "bittet um Ihre Bestätigung",
    .asking: "{program} bittet um Ihre Bestätigung",
    .askingSandboxed: "{program} (in einer Sandbox) bittet um Ihre Bestätigung",
    .askingProtected: "{program} (geschütztes Programm) bittet um Ihre Bestätigung",
    .ownWords: "In den Worten des Programms:",
    .ourWords: "Das würden Sie erlauben:",
    .systemWords: "In den Worten des Systems:",
    .hidden: "Ein Programm, das sich verbirgt (Prozess {process})",
    .placeSystem: "Vom System installiert.",
    .placeChangeable: "Liegt in einem Ordner, den sein Benutzer ändern kann.",
    .placeGone: "Die Datei wurde seit dem Start ersetzt oder entfernt.",
    .placeElsewhere: "Das Programm sieht andere Ordner als Sie; für es führt dieser Pfad woandershin.",
    .placeUnseen: "Wer die Datei ändern kann, lässt sich nicht feststellen.",
    .interpreter: "Führt eine andere Datei aus, die sich nicht feststellen lässt.",
    .runs: "Führt {name} aus.",
    .commands: "Führt Befehle aus, die ihm gegeben wurden.",
    .claim: "Nennt sich selbst „{name}“.",
    .knownSandboxed: "Programm in einer Sandbox",
    .knownProtected: "Geschütztes Programm",
    .signIn: "Bei {site} anmelden",
    .signInRegister: "Dieses Gerät bei {site} registrieren",
    .signInChangePassword: "Ihr Passwort bei {site} ändern",
    .signInRemovePassword: "Ihr Passwort bei {site} entfernen",
    .signInEndSessions: "Sitzungen Ihres Kontos bei {site} beenden",
    .signInRevokeDevice: "Ein Gerät Ihres Kontos bei {site} sperren",
    .signInDeleteAccount: "Ihr Konto bei {site} löschen",
    .account: "Konto: {name}",
    .polkitAction: "Aktion: {name}",
    .polkitVendor: "Von: {name}",
    .polkitCommand: "Befehl: {name}",
    .polkitAsker: "Gefragt von: {name}",
    .polkitKept: "Polkit merkt sich Ihre Antwort einige Minuten lang für dieses Programm.",
    .cancel: "Abbrechen",
    .cancelKey: "abbrechen",
    .accept: "OK",
    .fallback: "Passwort eingeben",
    .dismiss: "Dieses Programm eine Minute lang abweisen",
    .dismissKey: "dieses Programm eine Minute lang abweisen",
    .sensorFingerOrPasscode: "Berühren Sie den Fingerabdruckleser oder geben Sie den Passcode ein.",
    .sensorFingerOrPassword: "Berühren Sie den Fingerabdruckleser oder geben Sie das Passwort ein.",
    .sensorFinger: "Berühren Sie den Fingerabdruckleser.",
    .sensorFaceOrPasscode: "Schauen Sie in die Kamera oder geben Sie den Passcode ein.",
    .sensorFace: "Schauen Sie in die Kamera.",
    .sensorNone: "Bitte wählen Sie unten.",
    .passcodeChoose: "Wählen Sie einen neuen Passcode.",
    .passcodeRepeat: "Geben Sie den neuen Passcode noch einmal ein.",
    .passcodeWait: "Der nächste Versuch ist in {seconds} s möglich.",
    .companionAsksFrom: "Die Anfrage kommt von einem anderen Ihrer Rechner: {machine}",
    .companionMayAnswer: "Sie können auf einem anderen Rechner antworten: {machines}.",
    .noticeMissed: "Nicht erkannt.",
    .noticeMissedLeft: "Nicht erkannt. Verbleibende Versuche: {left}.",
    .noticeAgain: "Nicht gelesen. Bitte noch einmal.",
    .noticeTooShort: "Zu kurz. Lassen Sie den Finger länger liegen.",
    .noticeCentre: "Legen Sie den Finger mitten auf den Leser.",
    .noticeLift: "Heben Sie den Finger ab und legen Sie ihn wieder auf.",
    .noticeWrongPasscode: "Der Passcode stimmt nicht.",
    .noticeWrongPassword: "Das Passwort stimmt nicht.",
    .noticeUnchecked: "Der Passcode konnte nicht geprüft werden. Bitte noch einmal.",
    .noticePasswordUnchecked: "Das Passwort konnte nicht geprüft werden. Bitte noch einmal.",
    .noticeTpmWaits: "Nach zu vielen falschen Passcodes nimmt das TPM eine Zeit lang keinen an. Bitte später noch einmal.",
    .noticeLocked: "Zu viele Versuche. Jetzt hilft nur noch der Passcode.",
    .noticeFingerLocked: "Zu viele Versuche. Jetzt zählt nur noch das Passwort.",
    .noticeDiffer: "Die beiden Eingaben sind verschieden. Bitte noch einmal von vorn.",
    .noticeLength: "Nehmen Sie {least} bis {most} Byte (ein einfacher Buchstabe oder eine Ziffer ist ein Byte).",
    .noticeQuestion: "Ihr Konto fragt: „{question}“",
    .noticePasswordChanged:
        "Ihr Konto hat ein neues Passwort. Geben Sie noch einmal das alte ein. Wenn Sie es nicht mehr wissen: "
        + "thumbturn passcode recover",
    .noticePasswordExpired: "Das Passwort Ihres Kontos ist abgelaufen. Ändern Sie es und versuchen Sie es dann noch einmal.",
    .noticeAccountLocked: "Ihr Konto ist gesperrt.",
    .fieldPasscode: "Passcode:",
    .fieldAccount: "Passwort des Kontos:",
    .fieldSystem: "Passwort:",
    .fieldNew: "Neuer Passcode:",
    .fieldAgain: "Noch einmal:",
    .fieldAnswer: "Antwort:",
    .capsLock: "Die Feststelltaste ist an.",
    .reveal: "Passcode zeigen",
    .conceal: "Passcode verbergen",
    .pictureFinger: "Fingerabdruckleser",
    .pictureFace: "Kamera",
    .picturePasscode: "Passcode",
    .othersOne: "Ein weiteres Programm wartet.",
    .othersMore: "{count} weitere Programme warten.",
    .beforeOne: "Ein anderes Programm fragt zuerst.",
    .beforeMore: "{count} andere Programme fragen zuerst.",
    .failed: "Das hat nicht geklappt.",
    .cancelled: "Abgebrochen.",
    .takenBack: "Diese Anfrage gilt nicht mehr.",
]

private let enTexts: [PromptText: String] = [
    .asks: "asks for you",
    .asking: "{program} asks for you",
    .askingSandboxed: "{program}, in a sandbox, asks for you",
    .askingProtected: "{program}, a protected program, asks for you",
    .ownWords: "In the program's own words:",
    .ourWords: "What you would allow:",
    .systemWords: "In the system's words:",
    .hidden: "A program that hides itself (process {process})",
    .placeSystem: "Installed by the system.",
    .placeChangeable: "In a folder that its user can change.",
    .placeGone: "Its file was replaced or removed since it began.",
    .placeElsewhere: "It sees other folders than you do; this path leads elsewhere for it.",
    .placeUnseen: "Nobody can tell who can change its file.",
    .interpreter: "It runs another file, which can't be identified.",
    .runs: "It runs {name}.",
    .commands: "It runs commands that it was given.",
    .claim: "It calls itself “{name}”.",
    .knownSandboxed: "A program in a sandbox",
    .knownProtected: "A protected program",
    .signIn: "Sign in to {site}",
    .signInRegister: "Register this device with {site}",
    .signInChangePassword: "Change your password at {site}",
    .signInRemovePassword: "Remove your password at {site}",
    .signInEndSessions: "End sessions of yours at {site}",
    .signInRevokeDevice: "Revoke a device of your account at {site}",
    .signInDeleteAccount: "Delete your account at {site}",
    .account: "Account: {name}",
    .polkitAction: "Action: {name}",
    .polkitVendor: "From: {name}",
    .polkitCommand: "Command: {name}",
    .polkitAsker: "Asked by: {name}",
    .polkitKept: "Polkit keeps your answer for some minutes, for this program.",
    .cancel: "Cancel",
    .cancelKey: "cancel",
    .accept: "OK",
    .fallback: "Enter Password",
    .dismiss: "Refuse this program for a minute",
    .dismissKey: "refuse this program for a minute",
    .sensorFingerOrPasscode: "Touch the fingerprint reader, or type the passcode.",
    .sensorFingerOrPassword: "Touch the fingerprint reader, or type the password.",
    .sensorFinger: "Touch the fingerprint reader.",
    .sensorFaceOrPasscode: "Look at the camera, or type the passcode.",
    .sensorFace: "Look at the camera.",
    .sensorNone: "Choose below.",
    .passcodeChoose: "Choose a new passcode.",
    .passcodeRepeat: "Type the new passcode once more.",
    .passcodeWait: "You can try the next passcode in {seconds} s.",
    .companionAsksFrom: "It asks on another machine of yours: {machine}",
    .companionMayAnswer: "You can answer on another machine: {machines}.",
    .noticeMissed: "Not recognized.",
    .noticeMissedLeft: "Not recognized. Tries left: {left}.",
    .noticeAgain: "Not read. Try once more.",
    .noticeTooShort: "Too short. Rest the finger longer.",
    .noticeCentre: "Centre the finger on the reader.",
    .noticeLift: "Lift the finger and touch again.",
    .noticeWrongPasscode: "That passcode is not right.",
    .noticeWrongPassword: "That password is not right.",
    .noticeUnchecked: "The passcode could not be checked. Try again.",
    .noticePasswordUnchecked: "The password could not be checked. Try again.",
    .noticeTpmWaits: "After too many wrong passcodes, the TPM accepts none for a while. Try again later.",
    .noticeLocked: "Too many tries. Only the passcode helps now.",
    .noticeFingerLocked: "Too many tries. Only the password counts now.",
    .noticeDiffer: "The two were not the same. Start again.",
    .noticeLength: "Use {least} to {most} bytes (a plain letter or digit is one byte).",
    .noticeQuestion: "Your account asks: “{question}”",
    .noticePasswordChanged:
        "Your account has a new password. Type the previous one once more. If you lost it, run: thumbturn passcode "
        + "recover",
    .noticePasswordExpired: "Your account's password has expired. Change it, then try again.",
    .noticeAccountLocked: "Your account is locked.",
    .fieldPasscode: "Passcode:",
    .fieldAccount: "Account password:",
    .fieldSystem: "Password:",
    .fieldNew: "New passcode:",
    .fieldAgain: "Again:",
    .fieldAnswer: "Answer:",
    .capsLock: "Caps Lock is on.",
    .reveal: "Show the passcode",
    .conceal: "Hide the passcode",
    .pictureFinger: "Fingerprint reader",
    .pictureFace: "Camera",
    .picturePasscode: "Passcode",
    .othersOne: "Another program is waiting.",
    .othersMore: "{count} other programs are waiting.",
    .beforeOne: "Another program asks first.",
    .beforeMore: "{count} other programs ask first.",
    .failed: "That did not work.",
    .cancelled: "Cancelled.",
    .takenBack: "This question is no longer open.",
]

private let esTexts: [PromptText: String] = [
    .asks: "solicita su confirmación",
    .asking: "{program} solicita su confirmación",
    .askingSandboxed: "{program}, en un entorno aislado, solicita su confirmación",
    .askingProtected: "{program}, un programa protegido, solicita su confirmación",
    .ownWords: "El programa explica:",
    .ourWords: "Esto es lo que permitiría:",
    .systemWords: "En palabras del sistema:",
    .hidden: "Un programa que se oculta (proceso {process})",
    .placeSystem: "Instalado por el sistema.",
    .placeChangeable: "En una carpeta que su usuario puede modificar.",
    .placeGone: "Su archivo se ha sustituido o eliminado desde que se inició.",
    .placeElsewhere: "Ve otras carpetas que usted; para el programa, esta ruta lleva a otro lugar.",
    .placeUnseen: "No se puede saber quién puede modificar su archivo.",
    .interpreter: "Ejecuta otro archivo, que no se puede identificar.",
    .runs: "Ejecuta {name}.",
    .commands: "Ejecuta órdenes que se le han dado.",
    .claim: "Se hace llamar «{name}».",
    .knownSandboxed: "Programa en un entorno aislado",
    .knownProtected: "Programa protegido",
    .signIn: "Iniciar sesión en {site}",
    .signInRegister: "Registrar este dispositivo en {site}",
    .signInChangePassword: "Cambiar su contraseña en {site}",
    .signInRemovePassword: "Eliminar su contraseña en {site}",
    .signInEndSessions: "Cerrar sesiones de su cuenta en {site}",
    .signInRevokeDevice: "Revocar un dispositivo de su cuenta en {site}",
    .signInDeleteAccount: "Eliminar su cuenta en {site}",
    .account: "Cuenta: {name}",
    .polkitAction: "Acción: {name}",
    .polkitVendor: "De: {name}",
    .polkitCommand: "Orden: {name}",
    .polkitAsker: "Lo pide: {name}",
    .polkitKept: "Polkit recuerda su respuesta unos minutos para este programa.",
    .cancel: "Cancelar",
    .cancelKey: "cancelar",
    .accept: "Aceptar",
    .fallback: "Introducir contraseña",
    .dismiss: "Rechazar este programa durante un minuto",
    .dismissKey: "rechazar este programa durante un minuto",
    .sensorFingerOrPasscode: "Toque el lector de huellas o introduzca el código.",
    .sensorFingerOrPassword: "Toque el lector de huellas o introduzca la contraseña.",
    .sensorFinger: "Toque el lector de huellas.",
    .sensorFaceOrPasscode: "Mire a la cámara o introduzca el código.",
    .sensorFace: "Mire a la cámara.",
    .sensorNone: "Elija una opción abajo.",
    .passcodeChoose: "Elija un código nuevo.",
    .passcodeRepeat: "Introduzca el código nuevo otra vez.",
    .passcodeWait: "Podrá probar el siguiente código dentro de {seconds} s.",
    .companionAsksFrom: "La solicitud viene de otro de sus equipos: {machine}",
    .companionMayAnswer: "Puede responder en otro equipo: {machines}.",
    .noticeMissed: "No se ha reconocido.",
    .noticeMissedLeft: "No se ha reconocido. Intentos restantes: {left}.",
    .noticeAgain: "No se ha podido leer. Inténtelo otra vez.",
    .noticeTooShort: "Demasiado breve. Mantenga el dedo más tiempo.",
    .noticeCentre: "Centre el dedo en el lector.",
    .noticeLift: "Levante el dedo y vuelva a tocar.",
    .noticeWrongPasscode: "El código no es correcto.",
    .noticeWrongPassword: "La contraseña no es correcta.",
    .noticeUnchecked: "No se ha podido comprobar el código. Inténtelo otra vez.",
    .noticePasswordUnchecked: "No se ha podido comprobar la contraseña. Inténtelo otra vez.",
    .noticeTpmWaits: "Tras demasiados códigos erróneos, el TPM no acepta ninguno durante un tiempo. Inténtelo más tarde.",
    .noticeLocked: "Demasiados intentos. Ahora solo sirve el código.",
    .noticeFingerLocked: "Demasiados intentos. Ahora solo sirve la contraseña.",
    .noticeDiffer: "Los dos no coinciden. Empiece de nuevo.",
    .noticeLength: "Use de {least} a {most} bytes (una letra sencilla o una cifra ocupa un byte).",
    .noticeQuestion: "Su cuenta pregunta: «{question}»",
    .noticePasswordChanged:
        "Su cuenta tiene una contraseña nueva. Introduzca la anterior una vez más. Si ya no la tiene: thumbturn "
        + "passcode recover",
    .noticePasswordExpired: "La contraseña de su cuenta ha caducado. Cámbiela y vuelva a intentarlo.",
    .noticeAccountLocked: "Su cuenta está bloqueada.",
    .fieldPasscode: "Código:",
    .fieldAccount: "Contraseña de la cuenta:",
    .fieldSystem: "Contraseña:",
    .fieldNew: "Código nuevo:",
    .fieldAgain: "Otra vez:",
    .fieldAnswer: "Respuesta:",
    .capsLock: "El bloqueo de mayúsculas está activado.",
    .reveal: "Mostrar el código",
    .conceal: "Ocultar el código",
    .pictureFinger: "Lector de huellas",
    .pictureFace: "Cámara",
    .picturePasscode: "Código",
    .othersOne: "Otro programa está esperando.",
    .othersMore: "{count} programas más están esperando.",
    .beforeOne: "Otro programa pregunta antes.",
    .beforeMore: "{count} programas más preguntan antes.",
    .failed: "No ha funcionado.",
    .cancelled: "Cancelado.",
    .takenBack: "Esta solicitud ya no está pendiente.",
]

private let frTexts: [PromptText: String] = [
    .asks: "demande votre confirmation",
    .asking: "{program} demande votre confirmation",
    .askingSandboxed: "{program}, dans un bac à sable, demande votre confirmation",
    .askingProtected: "{program}, un programme protégé, demande votre confirmation",
    .ownWords: "Le programme explique :",
    .ourWords: "Vous autoriseriez ceci :",
    .systemWords: "D’après le système :",
    .hidden: "Un programme qui se cache (processus {process})",
    .placeSystem: "Installé par le système.",
    .placeChangeable: "Dans un dossier que son utilisateur peut modifier.",
    .placeGone: "Son fichier a été remplacé ou supprimé depuis son lancement.",
    .placeElsewhere: "Il voit d’autres dossiers que vous ; pour lui, ce chemin mène ailleurs.",
    .placeUnseen: "Impossible de savoir qui peut modifier son fichier.",
    .interpreter: "Il exécute un autre fichier, impossible à identifier.",
    .runs: "Il exécute {name}.",
    .commands: "Il exécute des commandes qu’on lui a données.",
    .claim: "Il se fait appeler « {name} ».",
    .knownSandboxed: "Programme dans un bac à sable",
    .knownProtected: "Programme protégé",
    .signIn: "Se connecter à {site}",
    .signInRegister: "Enregistrer cet appareil auprès de {site}",
    .signInChangePassword: "Changer votre mot de passe sur {site}",
    .signInRemovePassword: "Supprimer votre mot de passe sur {site}",
    .signInEndSessions: "Fermer des sessions de votre compte sur {site}",
    .signInRevokeDevice: "Révoquer un appareil de votre compte sur {site}",
    .signInDeleteAccount: "Supprimer votre compte sur {site}",
    .account: "Compte : {name}",
    .polkitAction: "Action : {name}",
    .polkitVendor: "De : {name}",
    .polkitCommand: "Commande : {name}",
    .polkitAsker: "Demandé par : {name}",
    .polkitKept: "Polkit retient votre réponse quelques minutes pour ce programme.",
    .cancel: "Annuler",
    .cancelKey: "annuler",
    .accept: "OK",
    .fallback: "Saisir le mot de passe",
    .dismiss: "Refuser ce programme pendant une minute",
    .dismissKey: "refuser ce programme pendant une minute",
    .sensorFingerOrPasscode: "Touchez le lecteur d’empreintes ou saisissez le code.",
    .sensorFingerOrPassword: "Touchez le lecteur d’empreintes ou saisissez le mot de passe.",
    .sensorFinger: "Touchez le lecteur d’empreintes.",
    .sensorFaceOrPasscode: "Regardez la caméra ou saisissez le code.",
    .sensorFace: "Regardez la caméra.",
    .sensorNone: "Choisissez ci-dessous.",
    .passcodeChoose: "Choisissez un nouveau code.",
    .passcodeRepeat: "Saisissez le nouveau code encore une fois.",
    .passcodeWait: "Vous pourrez essayer le prochain code dans {seconds} s.",
    .companionAsksFrom: "La demande vient d’une autre de vos machines : {machine}",
    .companionMayAnswer: "Vous pouvez répondre sur une autre machine : {machines}.",
    .noticeMissed: "Non reconnu.",
    .noticeMissedLeft: "Non reconnu. Essais restants : {left}.",
    .noticeAgain: "Lecture impossible. Réessayez.",
    .noticeTooShort: "Trop court. Laissez le doigt plus longtemps.",
    .noticeCentre: "Centrez le doigt sur le lecteur.",
    .noticeLift: "Levez le doigt, puis touchez de nouveau.",
    .noticeWrongPasscode: "Ce code est incorrect.",
    .noticeWrongPassword: "Ce mot de passe est incorrect.",
    .noticeUnchecked: "Le code n’a pas pu être vérifié. Réessayez.",
    .noticePasswordUnchecked: "Le mot de passe n’a pas pu être vérifié. Réessayez.",
    .noticeTpmWaits: "Après trop de codes erronés, le TPM n’en accepte plus pendant un moment. Réessayez plus tard.",
    .noticeLocked: "Trop d’essais. Seul le code fonctionne à présent.",
    .noticeFingerLocked: "Trop d’essais. Seul le mot de passe fonctionne à présent.",
    .noticeDiffer: "Les deux saisies sont différentes. Recommencez.",
    .noticeLength: "Choisissez de {least} à {most} octets (une lettre simple ou un chiffre compte pour un octet).",
    .noticeQuestion: "Votre compte demande : « {question} »",
    .noticePasswordChanged:
        "Votre compte a un nouveau mot de passe. Saisissez l’ancien encore une fois. Si vous ne l’avez plus : "
        + "thumbturn passcode recover",
    .noticePasswordExpired: "Le mot de passe de votre compte a expiré. Changez-le, puis réessayez.",
    .noticeAccountLocked: "Votre compte est verrouillé.",
    .fieldPasscode: "Code :",
    .fieldAccount: "Mot de passe du compte :",
    .fieldSystem: "Mot de passe :",
    .fieldNew: "Nouveau code :",
    .fieldAgain: "Encore une fois :",
    .fieldAnswer: "Réponse :",
    .capsLock: "Le verrouillage des majuscules est activé.",
    .reveal: "Afficher le code",
    .conceal: "Masquer le code",
    .pictureFinger: "Lecteur d’empreintes",
    .pictureFace: "Caméra",
    .picturePasscode: "Code",
    .othersOne: "Un autre programme attend.",
    .othersMore: "{count} autres programmes attendent.",
    .beforeOne: "Un autre programme passe avant.",
    .beforeMore: "{count} autres programmes passent avant.",
    .failed: "Cela n’a pas fonctionné.",
    .cancelled: "Annulé.",
    .takenBack: "Cette demande n’est plus valable.",
]

private let jaTexts: [PromptText: String] = [
    .asks: "が本人確認を求めています",
    .asking: "{program}が本人確認を求めています",
    .askingSandboxed: "{program}（サンドボックス内）が本人確認を求めています",
    .askingProtected: "{program}（保護されたプログラム）が本人確認を求めています",
    .ownWords: "プログラムからの説明:",
    .ourWords: "許可する内容:",
    .systemWords: "システムからの説明:",
    .hidden: "正体を隠しているプログラム (プロセス {process})",
    .placeSystem: "システムがインストールしたプログラムです。",
    .placeChangeable: "ユーザーが変更できるフォルダにあります。",
    .placeGone: "起動後にファイルが置き換えられたか、削除されました。",
    .placeElsewhere: "別のフォルダ構成で動いています。この場所には別のファイルがあります。",
    .placeUnseen: "誰がファイルを変更できるか確認できません。",
    .interpreter: "別のファイルの内容を実行しています。どのファイルかは確認できません。",
    .runs: "{name} を実行しています。",
    .commands: "与えられた命令を実行しています。",
    .claim: "自称: 「{name}」",
    .knownSandboxed: "サンドボックス内のプログラム",
    .knownProtected: "保護されたプログラム",
    .signIn: "サインイン先: {site}",
    .signInRegister: "この端末の登録先: {site}",
    .signInChangePassword: "パスワードの変更先: {site}",
    .signInRemovePassword: "パスワードの削除先: {site}",
    .signInEndSessions: "セッションの終了先: {site}",
    .signInRevokeDevice: "端末の登録解除先: {site}",
    .signInDeleteAccount: "アカウントの削除先: {site}",
    .account: "アカウント: {name}",
    .polkitAction: "操作: {name}",
    .polkitVendor: "提供元: {name}",
    .polkitCommand: "コマンド: {name}",
    .polkitAsker: "要求元: {name}",
    .polkitKept: "polkit はこのプログラムへの回答を数分間保持します。",
    .cancel: "キャンセル",
    .cancelKey: "キャンセル",
    .accept: "OK",
    .fallback: "パスワードを入力",
    .dismiss: "このプログラムを1分間拒否",
    .dismissKey: "このプログラムを1分間拒否",
    .sensorFingerOrPasscode: "指紋センサーに触れるか、パスコードを入力してください。",
    .sensorFingerOrPassword: "指紋センサーに触れるか、パスワードを入力してください。",
    .sensorFinger: "指紋センサーに触れてください。",
    .sensorFaceOrPasscode: "カメラを見るか、パスコードを入力してください。",
    .sensorFace: "カメラを見てください。",
    .sensorNone: "下のボタンから選んでください。",
    .passcodeChoose: "新しいパスコードを決めてください。",
    .passcodeRepeat: "新しいパスコードをもう一度入力してください。",
    .passcodeWait: "次のパスコードを確認できるまであと{seconds}秒です。",
    .companionAsksFrom: "お使いの別のコンピュータからの要求です: {machine}",
    .companionMayAnswer: "別のコンピュータで応答できます: {machines}",
    .noticeMissed: "認識できませんでした。",
    .noticeMissedLeft: "認識できませんでした。残り{left}回です。",
    .noticeAgain: "読み取れませんでした。もう一度お試しください。",
    .noticeTooShort: "短すぎます。指をもう少し長く当ててください。",
    .noticeCentre: "指をセンサーの中央に当ててください。",
    .noticeLift: "指を離して、もう一度触れてください。",
    .noticeWrongPasscode: "パスコードが違います。",
    .noticeWrongPassword: "パスワードが違います。",
    .noticeUnchecked: "パスコードを確認できませんでした。もう一度お試しください。",
    .noticePasswordUnchecked: "パスワードを確認できませんでした。もう一度お試しください。",
    .noticeTpmWaits: "間違いが続いたため、TPMがしばらくパスコードを受け付けません。後でもう一度お試しください。",
    .noticeLocked: "失敗が続きました。パスコードを入力してください。",
    .noticeFingerLocked: "失敗が続きました。パスワードを入力してください。",
    .noticeDiffer: "一致しませんでした。最初からやり直してください。",
    .noticeLength: "{least}〜{most}バイトにしてください（半角の英数字は1文字1バイト）。",
    .noticeQuestion: "アカウントからの質問:「{question}」",
    .noticePasswordChanged: "アカウントのパスワードが変更されています。今回だけ以前のパスワードを入力してください。不明な場合: thumbturn passcode recover",
    .noticePasswordExpired: "アカウントのパスワードの期限が切れています。変更してから、もう一度お試しください。",
    .noticeAccountLocked: "アカウントがロックされています。",
    .fieldPasscode: "パスコード:",
    .fieldAccount: "アカウントのパスワード:",
    .fieldSystem: "パスワード:",
    .fieldNew: "新しいパスコード:",
    .fieldAgain: "もう一度:",
    .fieldAnswer: "回答:",
    .capsLock: "Caps Lockがオンです。",
    .reveal: "パスコードを表示",
    .conceal: "パスコードを隠す",
    .pictureFinger: "指紋センサー",
    .pictureFace: "カメラ",
    .picturePasscode: "パスコード",
    .othersOne: "ほかに1個のプログラムが待っています。",
    .othersMore: "ほかに{count}個のプログラムが待っています。",
    .beforeOne: "先に1個のプログラムが確認中です。",
    .beforeMore: "先に{count}個のプログラムが確認中です。",
    .failed: "確認できませんでした。",
    .cancelled: "キャンセルしました。",
    .takenBack: "要求は取り消されました。",
]

private let zhCNTexts: [PromptText: String] = [
    .asks: "请求验证您的身份",
    .asking: "{program} 请求验证您的身份",
    .askingSandboxed: "{program}（在沙盒中）请求验证您的身份",
    .askingProtected: "{program}（受保护的程序）请求验证您的身份",
    .ownWords: "程序的说明：",
    .ourWords: "您将允许：",
    .systemWords: "系统的说明：",
    .hidden: "一个隐藏自身的程序（进程 {process}）",
    .placeSystem: "由系统安装。",
    .placeChangeable: "位于其用户可以修改的文件夹中。",
    .placeGone: "启动后，其文件已被替换或删除。",
    .placeElsewhere: "它看到的文件夹与您不同，此路径在它那里指向别处。",
    .placeUnseen: "无法确定谁可以修改其文件。",
    .interpreter: "它正在运行另一个无法识别的文件。",
    .runs: "它正在运行 {name}。",
    .commands: "它正在运行别人给它的命令。",
    .claim: "它自称“{name}”。",
    .knownSandboxed: "沙盒中的程序",
    .knownProtected: "受保护的程序",
    .signIn: "登录 {site}",
    .signInRegister: "在 {site} 注册此设备",
    .signInChangePassword: "更改您在 {site} 的密码",
    .signInRemovePassword: "移除您在 {site} 的密码",
    .signInEndSessions: "结束您在 {site} 的会话",
    .signInRevokeDevice: "停用您在 {site} 账户中的一台设备",
    .signInDeleteAccount: "删除您在 {site} 的账户",
    .account: "账户：{name}",
    .polkitAction: "操作：{name}",
    .polkitVendor: "来自：{name}",
    .polkitCommand: "命令：{name}",
    .polkitAsker: "请求者：{name}",
    .polkitKept: "polkit 会在几分钟内为此程序保留您的答复。",
    .cancel: "取消",
    .cancelKey: "取消",
    .accept: "确定",
    .fallback: "输入密码",
    .dismiss: "一分钟内拒绝此程序",
    .dismissKey: "一分钟内拒绝此程序",
    .sensorFingerOrPasscode: "请触摸指纹传感器，或输入密码。",
    .sensorFingerOrPassword: "请触摸指纹传感器，或输入系统密码。",
    .sensorFinger: "请触摸指纹传感器。",
    .sensorFaceOrPasscode: "请看着摄像头，或输入密码。",
    .sensorFace: "请看着摄像头。",
    .sensorNone: "请在下方选择。",
    .passcodeChoose: "请设置新密码。",
    .passcodeRepeat: "请再次输入新密码。",
    .passcodeWait: "{seconds} 秒后可以再次输入密码。",
    .companionAsksFrom: "请求来自您的另一台电脑：{machine}",
    .companionMayAnswer: "您可以在另一台电脑上回应：{machines}。",
    .noticeMissed: "未能识别。",
    .noticeMissedLeft: "未能识别。还可尝试 {left} 次。",
    .noticeAgain: "未能读取，请再试一次。",
    .noticeTooShort: "时间太短，请让手指多停留一会儿。",
    .noticeCentre: "请将手指放在传感器中央。",
    .noticeLift: "请抬起手指，然后再次触摸。",
    .noticeWrongPasscode: "密码不正确。",
    .noticeWrongPassword: "系统密码不正确。",
    .noticeUnchecked: "无法验证密码，请再试一次。",
    .noticePasswordUnchecked: "无法验证系统密码，请再试一次。",
    .noticeTpmWaits: "密码错误次数过多，TPM 暂时不接受密码。请稍后再试。",
    .noticeLocked: "尝试次数过多，现在只能使用密码。",
    .noticeFingerLocked: "尝试次数过多，现在只能使用系统密码。",
    .noticeDiffer: "两次输入不一致，请重新开始。",
    .noticeLength: "请使用 {least} 至 {most} 个字节（一个英文字母或数字为一个字节）。",
    .noticeQuestion: "您的账户询问：“{question}”",
    .noticePasswordChanged: "您的账户密码已更改。请再输入一次原来的密码。如果忘记了，请运行：thumbturn passcode recover",
    .noticePasswordExpired: "您的账户密码已过期。请更改密码，然后再试一次。",
    .noticeAccountLocked: "您的账户已被锁定。",
    .fieldPasscode: "密码：",
    .fieldAccount: "账户密码：",
    .fieldSystem: "系统密码：",
    .fieldNew: "新密码：",
    .fieldAgain: "再次输入：",
    .fieldAnswer: "回答：",
    .capsLock: "大写锁定已打开。",
    .reveal: "显示密码",
    .conceal: "隐藏密码",
    .pictureFinger: "指纹传感器",
    .pictureFace: "摄像头",
    .picturePasscode: "密码",
    .othersOne: "还有 1 个程序在等待。",
    .othersMore: "还有 {count} 个程序在等待。",
    .beforeOne: "前面还有 1 个程序。",
    .beforeMore: "前面还有 {count} 个程序。",
    .failed: "验证未成功。",
    .cancelled: "已取消。",
    .takenBack: "此请求已失效。",
]
