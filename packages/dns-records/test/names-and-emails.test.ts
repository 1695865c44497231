import { describe, expect, it } from '@jest/globals';
import {
  checkDomainName,
  checkEmail,
  checkRecord,
  nameToWire,
  type Problem,
  toAsciiDomainName,
} from '../src/index.js';
import { emailToMailboxName } from '../src/names/name-rules.js';
import { readCases, readPairs } from './read-cases.js';

function checkRecordName(name: string): Problem[] {
  return checkRecord({ name, type: 'A', data: '192.0.2.1' }, 'example.com.');
}

const CHECKS: [string, (text: string) => Problem[]][] = [
  ['domain-name', checkDomainName],
  ['record-name', checkRecordName],
  ['email', checkEmail],
];

describe.each(CHECKS)('D-ZONE: %s', (subject, check) => {
  it.each(readCases(`${subject}.valid`))('accepts %j', (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each(readPairs(`${subject}.invalid`))('refuses %j with the message %j', (text, words) => {
    const messages = check(text).map(({ message }) => message);
    expect(messages.join('\n')).toContain(words);
  });
});

describe('stored forms', () => {
  it.each(readPairs('domain-name.canonical'))('D-ZONE: %j is stored as %j', (name, stored) => {
    expect(toAsciiDomainName(name)).toBe(stored);
    expect(toAsciiDomainName(stored)).toBe(stored);
  });

  it.each(readCases('domain-name.valid'))('D-ZONE: %j has a wire form when stored', (name) => {
    expect(nameToWire(toAsciiDomainName(name))).toBeInstanceOf(Uint8Array);
  });

  it.each(readPairs('email.canonical'))('RFC 1035 s8: %j is the mailbox %j', (email, mailbox) => {
    expect(emailToMailboxName(email)).toBe(mailbox);
  });

  it.each(readCases('email.valid'))('D-NS: %j fits into an SOA', (email) => {
    expect(nameToWire(emailToMailboxName(email))).toBeInstanceOf(Uint8Array);
  });
});
