import { describe, expect, it } from '@jest/globals';
import { parseXml } from './parse-xml.js';

/** Without null prototypes, which toEqual tells apart. */
async function parsed(text: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await parseXml(text)));
}

describe('parseXml', () => {
  it.each([
    ['<a/>', { a: {} }],
    ['<a>text</a>', { a: 'text' }],
    ['<a b="1"/>', { a: { b: '1' } }],
    ['<a b="1"><c>x</c></a>', { a: { b: '1', c: 'x' } }],
    ['<a><b>1</b><b>2</b></a>', { a: { b: ['1', '2'] } }],
    ['<p:a xmlns:p="urn:x" p:b="1"/>', { a: { b: '1' } }],
    ['<a>&amp;&lt;&#65;</a>', { a: '&<A' }],
    ['<a><![CDATA[<b>]]></a>', { a: '<b>' }],
    ['<a> \n </a>', { a: {} }],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<a/>', { a: {} }],
  ])('decisions 2: %s', async (text, expected) => {
    expect(await parsed(text)).toEqual(expected);
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a b=1/>',
    '<a>&b;</a>',
    '<!DOCTYPE a SYSTEM "http://127.0.0.1/"><a/>',
    '<!doctype a><a/>',
    `${'<a>'.repeat(66)}${'</a>'.repeat(66)}`,
  ])('decisions 1.4: refuses %s', async (text) => {
    await expect(parseXml(text)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('takes elements named like what objects inherit as ordinary ones', async () => {
    const members = (await parseXml('<a><__proto__>1</__proto__><toString>2</toString></a>')) as {
      a: Record<string, unknown>;
    };
    expect(Object.getPrototypeOf(members.a)).toBeNull();
    expect(Object.entries(members.a)).toEqual([
      ['__proto__', '1'],
      ['toString', '2'],
    ]);
  });
});
