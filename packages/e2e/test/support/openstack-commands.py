"""Runs commands of openstackclient as its own entry point does, one after the other, in one process: it takes seconds to load.

Reads one JSON array of arguments a line, and writes one JSON object a line: status, stdout, stderr.
"""
import contextlib
import io
import json
import sys

from openstackclient import shell


def run(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = shell.main(arguments)
        except SystemExit as end:
            status = end.code
    return {'status': status or 0, 'stdout': out.getvalue(), 'stderr': err.getvalue()}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
