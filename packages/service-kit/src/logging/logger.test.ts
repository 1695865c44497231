import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from './logger.js';

/** Returns the lines that a logger writes. */
function logged(write: (log: Logger) => void): { text: string; lines: Record<string, unknown>[] } {
  let text = '';
  write(createLogger('a-service', 'info', { write: (line) => void (text += line) }));
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { text, lines };
}

describe('createLogger', () => {
  it('writes one JSON line with service, level, process, time and message', () => {
    const { lines } = logged((log) => {
      log.info({ status: 200 }, 'answered');
    });

    expect(lines).toEqual([
      {
        name: 'a-service',
        level: 'info',
        pid: process.pid,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
        status: 200,
        msg: 'answered',
      },
    ]);
  });

  it('writes nothing below its level', () => {
    expect(
      logged((log) => {
        log.debug('unseen');
      }).text,
    ).toBe('');
  });

  it('keeps the type, the stack and the causes of an error', () => {
    const { lines } = logged((log) => {
      log.error({ err: new TypeError('broken', { cause: new Error('worn out') }) }, 'failed');
    });

    expect(lines[0]).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'broken: worn out',
        stack: expect.stringContaining('caused by: Error: worn out'),
      },
      msg: 'failed',
    });
  });

  it.each<[string, (log: Logger) => void]>([
    [
      'in a member',
      (log) => {
        log.info({ headers: { 'x-auth-token': 'hunter2' } });
      },
    ],
    [
      'in the binding of a child logger',
      (log) => {
        log.child({ req: { headers: { 'X-Auth-Token': 'hunter2' } } }).info('x');
      },
    ],
    [
      'in the message of an error',
      (log) => {
        log.error({ err: new Error('cannot reach postgres://u:hunter2@h/d') });
      },
    ],
    [
      'in an error that is logged by itself, whose message becomes the message of the line',
      (log) => {
        log.error(new Error('cannot reach postgres://u:hunter2@h/d'));
      },
    ],
    [
      'in the message of a cause',
      (log) => {
        log.error({
          err: new Error('outer', { cause: new Error('at redis://:hunter2@h') }),
        });
      },
    ],
    [
      'in a message',
      (log) => {
        log.info('connecting to %s', 'redis://:hunter2@cache');
      },
    ],
    [
      'in a member of an error',
      (log) => {
        log.error(Object.assign(new Error('x'), { connectionString: 'hunter2' }));
      },
    ],
  ])('a secret %s never reaches the log', (_, write) => {
    const { text } = logged(write);

    expect(text).toContain('[redacted]');
    expect(text).not.toContain('hunter2');
  });
});
