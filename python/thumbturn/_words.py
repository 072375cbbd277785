"""The lists of thumbturn.h, by their numbers there."""

import enum


class Policy(enum.IntEnum):
    """Who counts as the owner."""

    SENSOR = 1
    """A finger or a face."""
    OWNER = 2
    """A finger or a face if there is one, else the passcode."""
    COMPANION = 3
    """A yes at a paired machine nearby."""
    SENSOR_OR_COMPANION = 4


class Factor(enum.IntEnum):
    """What the owner showed."""

    SENSOR = 1
    PASSCODE = 2
    COMPANION = 3


class Sensor(enum.IntEnum):
    """What the device has."""

    NONE = 0
    FINGER = 1
    FACE = 2


class Rule(enum.IntEnum):
    """What the owner must show to get a secret, or to use a key."""

    NONE = 0
    PRESENCE = 1
    """A finger, a face, or the passcode."""
    PASSCODE = 2
    ANY_FINGER = 3
    """Any finger or face that is enrolled then."""
    CURRENT_FINGERS = 4
    """Only those that are enrolled now."""
    COMPANION = 5
    OTHER = 15
    """Of an item that somebody made with another rule; nobody can choose it."""


class When(enum.IntEnum):
    """When a secret can be had."""

    UNLOCKED = 0
    """While the session is unlocked."""
    AFTER_FIRST_UNLOCK = 1
    ALWAYS = 2
    PASSCODE_SET = 3
    """It goes when the passcode is removed."""


class Kind(enum.IntEnum):
    """What sort of private key."""

    P256 = 1
    P384 = 2
    P521 = 3
    RSA2048 = 4
    RSA3072 = 5
    RSA4096 = 6
    OTHER = 15
    """Of a key that somebody made; nobody can choose it."""


class Hash(enum.IntEnum):
    """How a digest was made."""

    SHA256 = 3
    SHA384 = 4
    SHA512 = 5
