"""A relay between two machines' carriers, as somebody on the wire could run one: it can't read what crosses, keeps all of it, and says it
again or holds it back as it is told.

    relay.py PORT HOST THEIRS    takes connections at this machine's PORT and PORT+1, and makes one for each to HOST's THEIRS and THEIRS+1

Words on standard input, each answered by itself and a number:

    hold       what the companion says from now on waits
    held       how much waits
    release    passes that on
    again      says everything that crossed once more, each to the side that it was for
"""

import os
import socket
import sys
import threading

# Carriers drop what has come through a router.
HOPS = 255
# A parcel's length, and its least one: a pairing's id. A frame comes after that.
HEAD, ID = 4, 16


class Relay:
    def __init__(self, host, theirs):
        self.host, self.theirs = host, theirs
        self.lock = threading.Lock()
        self.crossed, self.waiting, self.holds = [], [], False
        # The latest line's two connections, by whether the companion's parcels go there.
        self.ends = {}

    def serve(self, listener, place):
        while True:
            near, _ = listener.accept()
            far = made()
            try:
                far.connect((self.host, self.theirs + place))
            except OSError:
                near.close()
                continue
            if place == 0:
                self.ends = {True: near, False: far}
            for source, sink, companions in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.carry, args=(source, sink, companions, place == 0), daemon=True).start()

    def carry(self, source, sink, companions, keeps):
        data = b""
        try:
            while more := source.recv(65536):
                data += more
                while parcel := self.first(data) if keeps else data:
                    data = data[len(parcel):]
                    self.take(parcel, sink, companions, keeps)
        except OSError:
            pass
        for end in (source, sink):
            try:
                # Closing alone would wait for the thread that reads it.
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def first(self, data):
        length = HEAD + int.from_bytes(data[:HEAD], "big") if len(data) >= HEAD else len(data) + 1
        return data[:length] if len(data) >= length else b""

    def take(self, parcel, sink, companions, keeps):
        with self.lock:
            if keeps and len(parcel) > HEAD + ID:
                self.crossed.append((companions, parcel))
                if companions and self.holds:
                    self.waiting.append(parcel)
                    return
            sink.sendall(parcel)

    def obey(self, word):
        with self.lock:
            if word == "hold":
                self.holds = True
                return 0
            if word == "held":
                return len(self.waiting)
            said = [(True, parcel) for parcel in self.waiting] if word == "release" else list(self.crossed)
            if word == "release":
                self.waiting, self.holds = [], False
            for companions, parcel in said:
                self.ends[companions].sendall(parcel)
            return len(said)


def made():
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    link.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, HOPS)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return link


def main(port, host, theirs):
    relay = Relay(host, int(theirs))
    for place in (0, 1):
        listener = made()
        listener.bind(("127.0.0.1", int(port) + place))
        listener.listen()
        threading.Thread(target=relay.serve, args=(listener, place), daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        word = line.strip()
        print(word, relay.obey(word), flush=True)
    os._exit(0)


main(*sys.argv[1:])
