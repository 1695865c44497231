#!/usr/bin/env node
import { runCommandLine } from './command-line.js';

// A reader such as `head` may close standard output early. This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
// The command continues if standard error is closed, so that it does not stop halfway.
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
