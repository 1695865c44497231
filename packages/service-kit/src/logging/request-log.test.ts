import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogLevel } from './logger.js';
import { createRequestLog, type RequestLogMembers } from './request-log.js';

function logged(members: RequestLogMembers, level: LogLevel = 'info'): string {
  let text = '';
  const log = createLogger('a-service', level, { write: (line) => void (text += line) });
  createRequestLog(log)(members);
  return text;
}

describe('createRequestLog', () => {
  it('writes exactly the line that the logger would write', () => {
    const members = { requestId: 'req-1', status: 200, ms: 1.5, route: '/v1/"quoted"\n' };
    let usual = '';
    createLogger('a-service', 'info', { write: (line) => void (usual += line) }).info(
      members,
      'request',
    );
    const withoutTime = (line: string) => line.replace(/"time":"[^"]+"/, '');

    expect(withoutTime(logged(members))).toBe(withoutTime(usual));
    expect(logged(members)).toMatch(/"time":"\d{4}-\d\d-\d\dT[\d:.]{12}Z"/);
  });

  it('omits unknown values', () => {
    expect(JSON.parse(logged({ status: 200, tenantId: undefined }))).not.toHaveProperty('tenantId');
  });

  it('writes only lines of level info', () => {
    expect(logged({ status: 200 }, 'warn')).toBe('');
  });
});
