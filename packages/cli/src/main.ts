#!/usr/bin/env node
import { homedir, hostname } from 'node:os';
import { runCommandLine } from './command-line.js';

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => undefined);

// The first Ctrl-C lets the command report what it has done. A second one ends the process at once.
const interruption = new AbortController();
process.once('SIGINT', () => {
  interruption.abort(new Error('interrupted'));
});
process.once('SIGTERM', () => {
  interruption.abort(new Error('interrupted'));
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interruption.signal,
  hostname: hostname(),
  home: homedir(),
});
