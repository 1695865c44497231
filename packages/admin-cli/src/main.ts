#!/usr/bin/env node
import { runCommandLine } from './command-line.js';

// If a reader such as `head` closes standard output, this is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
// If standard error is closed, the command continues: its work must not be left half done.
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
