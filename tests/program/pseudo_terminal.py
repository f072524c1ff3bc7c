"""pseudo_terminal.py ROWS COLUMNS PROGRAM [ARGUMENT...]: runs a program in a pseudo-terminal of that size, in the foreground of
a session, as a shell does. What happens there stands on standard input, a line for each step:

    sees TEXT             waits until the program has written that, after what the steps before saw
    types KEYS            as written in Python: \\x1b[A is an arrow key, \\x03 is Ctrl-C
    resizes ROWS COLUMNS  gives the window another size
    stops                 waits until the program has stopped, as by Ctrl-Z, and holds the terminal to its settings of before
    continues             lets it go on, as `fg` does
    signals NAME          sends it a signal
    waits SECONDS         for what shows nothing

Then it waits for the end of the program, and holds the terminal to its settings of before. It prints all that the program has
written, and ends with its status; with 99 and a line on standard error if a step fails."""

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 60  # seconds for a step: tests must not depend on how fast the machine is


class Session:
    def __init__(self, rows, columns, command):
        self.master, self.slave = pty.openpty()
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        self.resizes(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.written = b""
        self.seen = 0
        self.status = None
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self.program = os.fork()
        if self.program == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.close(self.master)
            for stream in range(3):
                os.dup2(self.slave, stream)
            os.execvp(command[0], command)

    def sees(self, text):
        wanted = codecs.decode(text, "unicode_escape").encode("latin-1")
        self.read_until(lambda: wanted in self.written[self.seen:], "it never wrote: " + text)
        self.seen = self.written.index(wanted, self.seen) + len(wanted)

    def types(self, keys):
        os.write(self.master, codecs.decode(keys, "unicode_escape").encode("latin-1"))

    def resizes(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))

    def stops(self):
        self.read_until(lambda: self.has_changed() and os.WIFSTOPPED(self.status), "it never stopped")
        self.is_restored()

    def continues(self):
        self.status = None
        os.killpg(self.program, signal.SIGCONT)

    def signals(self, name):
        os.kill(self.program, getattr(signal, "SIG" + name))

    def waits(self, seconds):
        time.sleep(float(seconds))

    def ends(self):
        has_ended = lambda: self.has_changed() and not os.WIFSTOPPED(self.status)
        self.read_until(has_ended, "it never ended")
        self.read(0)
        self.is_restored()
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else 128 + os.WTERMSIG(self.status)

    def is_restored(self):
        if termios.tcgetattr(self.slave) != self.before:
            raise RuntimeError("the terminal has other settings than before")

    def has_changed(self):
        if self.status is None:
            process, status = os.waitpid(self.program, os.WNOHANG | os.WUNTRACED)
            self.status = status if process else None
        return self.status is not None

    def read(self, seconds):
        while select.select([self.master], [], [], seconds)[0]:
            self.written += os.read(self.master, 65536)
            seconds = 0

    def read_until(self, is_enough, complaint):
        end = time.monotonic() + PATIENCE
        while not is_enough():
            if time.monotonic() > end:
                raise RuntimeError(complaint)
            self.read(0.02)

    def kill(self):
        try:
            os.killpg(self.program, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(rows, columns, *command):
    session = Session(rows, columns, command)
    try:
        for line in sys.stdin.read().splitlines():
            verb, _, rest = line.strip().partition(" ")
            if verb in ("sees", "types", "signals", "waits"):
                getattr(session, verb)(rest)
            elif verb in ("resizes", "stops", "continues"):
                getattr(session, verb)(*rest.split())
            elif verb:
                raise RuntimeError("there is no step " + verb)
        return session.ends()
    except (RuntimeError, OSError) as error:
        print(f"{error}", file=sys.stderr)
        return 99
    finally:
        session.kill()
        sys.stdout.buffer.write(session.written)
        sys.stdout.flush()


child = os.fork()  # a session is made by a process that leads no group
if child == 0:
    os._exit(run(*sys.argv[1:]))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
