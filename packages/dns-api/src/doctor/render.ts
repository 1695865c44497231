import type { ExaminationResult } from './examination.js';

export function renderExamination(result: ExaminationResult) {
  const { zone, checkedAt, findings, nameservers } = result;
  return {
    id: zone.id,
    name: zone.name,
    serial: zone.serial,
    checked_at: checkedAt.toISOString().replace(/Z$/, '000'),
    state: findings[0]?.severity === 'info' ? 'ok' : (findings[0]?.severity ?? 'ok'),
    findings,
    nameservers,
  };
}
