import { isOpen } from './open-faults.js';
import type { Operation } from './operations.js';
import type { Row } from './zone-state.js';

/**
 * Returns whether an operation fails in both twins alike because of an open fault, and makes everything after it wrong.
 */
export function meetsOpenFault(operation: Operation, row: Row | undefined): boolean {
  const { kind, zone } = operation;
  if (kind === 'restore' || kind === 'revert') return isOpen('B6') && zone === 'promoted';
  if (kind === 'update') return row !== undefined && updateMeetsOpenFault(operation, row);
  return kind === 'create' && createMeetsOpenFault(operation);
}

function updateMeetsOpenFault({ flag }: Operation, row: Row): boolean {
  if (flag === 'off' || flag === 'on') return isOpenWhenOff(row, row.name);
  return isOpen('renamed into child') && row.isOff;
}

function createMeetsOpenFault({ flag, label, contents: [content] }: Operation): boolean {
  return flag === 'off' && content !== undefined && isOpenWhenOff(content, label);
}

function isOpenWhenOff({ type, data }: Pick<Row, 'type' | 'data'>, name: string): boolean {
  return (
    (isOpen('A1') && type === 'MX') ||
    (isOpen('A2') && /(^|\.)kid(\.|$)/.test(name)) ||
    (isOpen('A3') && data.length > 1_024)
  );
}
