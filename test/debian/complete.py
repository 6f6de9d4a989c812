"""Types a line and a tab into an interactive zsh, and prints the words that the shell then runs.

    complete.py SCRIPT LINE
"""

import os
import pty
import select
import signal
import sys
import time

TIMEOUT_SECONDS = 60

script, line = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("zsh", ["zsh", "-f", "-i"])


def read_until(text):
    output = ""
    end = time.monotonic() + TIMEOUT_SECONDS
    while text not in output:
        if time.monotonic() > end:
            sys.exit(f"zsh did not print {text!r} in time: {output!r}")
        if select.select([terminal], [], [], 0.2)[0]:
            output += os.read(terminal, 65536).decode(errors="replace")
    return output


# The texts that are waited for differ from the commands that print them, because the terminal shows both.
setup = f'autoload -Uz compinit && compinit -u -D; source {script}; servelens() {{ print -r -- "r"an:"$*":end }}; print rea""dy'
os.write(terminal, f"{setup}\n".encode())
read_until("ready\r")
os.write(terminal, f"{line}\t\n".encode())
print(read_until(":end").rpartition("ran:")[2].partition(":end")[0])
os.kill(process, signal.SIGKILL)
