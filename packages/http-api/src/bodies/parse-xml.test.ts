import { describe, expect, it } from '@jest/globals';
import { parseXml } from './parse-xml.js';

const BOUNDS = { maxDepth: 64, maxMarkup: 1_000_000 };

/** Parses the text and removes null prototypes, which toEqual distinguishes. */
async function parsed(text: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await parseXml(text, BOUNDS)));
}

describe('parseXml', () => {
  it.each([
    ['<a/>', { a: '' }],
    ['<a>text</a>', { a: 'text' }],
    ['<a b="1"/>', { a: { b: '1' } }],
    ['<a b="1"><c>x</c></a>', { a: { b: '1', c: 'x' } }],
    ['<a><b>1</b><b>2</b></a>', { a: { b: ['1', '2'] } }],
    ['<a> \n </a>', { a: '' }],
  ])('D-ID: %s', async (text, expected) => {
    expect(await parsed(text)).toEqual(expected);
  });

  it.each([
    ['no namespace', '<a b="1"/>'],
    ['a default one', '<a xmlns="http://docs.openstack.org/identity/api/v2.0" b="1"/>'],
    ['an unknown one', '<a xmlns="urn:x" b="1"/>'],
    ['a prefix', '<p:a xmlns:p="urn:x" b="1"/>'],
    ['a prefixed attribute', '<p:a xmlns:p="urn:x" p:b="1"/>'],
  ])('D-ID-35: only local names count, with %s', async (_what, text) => {
    expect(await parsed(text)).toEqual({ a: { b: '1' } });
  });

  it('D-ID: attributes about the document are not members', async () => {
    const instance = 'http://www.w3.org/2001/XMLSchema-instance';
    const text = `<a xmlns:xsi="${instance}" xsi:type="xs:string" xml:lang="en">text</a>`;
    expect(await parsed(text)).toEqual({ a: 'text' });
  });

  it.each([
    ['entities', '<a>&amp;&lt;&gt;&quot;&apos;</a>', '&<>"\''],
    ['numeric entities', '<a>&#65;&#x42;&#x1F600;</a>', 'AB\u{1F600}'],
    ['CDATA', '<a><![CDATA[<b>&amp;]]></a>', '<b>&amp;'],
    ['comments and instructions', '<a>te<!-- < -->x<?y z?>t</a>', 'text'],
    ['the word DOCTYPE', '<a><![CDATA[<!DOCTYPE a>]]></a>', '<!DOCTYPE a>'],
    ['an XML declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<a>x</a>\n<!-- end -->\n', 'x'],
    ['a byte order mark', '\uFEFF<a>x</a>', 'x'],
    ['64 levels', `${'<a>'.repeat(64)}x${'</a>'.repeat(64)}`, expect.anything()],
  ])('XML 1.0: accepts %s', async (_what, text, expected) => {
    expect(await parsed(text)).toEqual({ a: expected });
  });

  it.each([
    ['nothing', ''],
    ['no element', 'text'],
    ['only a comment', '<!-- a -->'],
    ['an unclosed element', '<a>'],
    ['another end', '<a></b>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['a sign in an attribute', '<a b="<"/>'],
    ['a second root', '<a/><b/>'],
    ['the same root again', '<a/><a/>'],
    ['text after the root', '<a/>text'],
    ['an entity after the root', '<a/>&amp;'],
    ['an end after the root', '<a/></a>'],
    ['half a tag after the root', '<a/><'],
    ['text before the root', 'text<a/>'],
    ['a duplicate attribute', '<a b="1" b="2"/>'],
    ['a duplicate attribute by namespace', '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>'],
    ['an undeclared prefix of an element', '<p:a/>'],
    ['an undeclared prefix of an attribute', '<a p:b="1"/>'],
    ['an undefined entity', '<a>&b;</a>'],
    ['an entity of HTML', '<a>&eacute;</a>'],
    ['an entity for no character', '<a>&#0;</a>'],
    ['an entity for a control character', '<a b="&#x1;"/>'],
    ['an entity for half a character', '<a>&#xD800;</a>'],
    ['an entity beyond Unicode', '<a>&#x110000;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['an end of CDATA in text', '<a>]]></a>'],
    ['two hyphens in a comment', '<a><!-- -- --></a>'],
    ['a declaration that is not at the start', '<a/><?xml version="1.0"?>'],
  ])('XML 1.0 s2: refuses %s', async (_what, text) => {
    await expect(parseXml(text, BOUNDS)).rejects.toMatchObject({
      status: 400,
      facts: { detail: expect.stringMatching(/^the body is not XML: /) },
    });
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE a SYSTEM "http://127.0.0.1/"><a/>', /DOCTYPE/],
    ['declared entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['a DOCTYPE in lower case', '<!doctype a><a/>', /not XML/],
    ['more than 64 levels', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, /64 levels/],
    ['80,000 levels', '<a>'.repeat(80_000), /64 levels/],
    ['UTF-16', '<?xml version="1.0" encoding="UTF-16"?><a/>', /encoding UTF-16, but must be UTF-8/],
    ['Latin 1', "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", /but must be UTF-8/],
    ['an attribute and an element', '<a b="1"><b>2</b></a>', /b is given twice/],
    ['two attributes', '<a xmlns:p="u" b="1" p:b="2"/>', /b is given twice/],
  ])('D-ID-37: refuses %s', async (_what, text, details) => {
    await expect(parseXml(text, BOUNDS)).rejects.toMatchObject({
      status: 400,
      facts: { detail: expect.stringMatching(details) },
    });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is an ordinary name',
    async (name) => {
      const { a } = (await parseXml(
        `<a><${name}>2</${name}><${name} polluted="3"/><b ${name}="1"/></a>`,
        BOUNDS,
      )) as { a: Record<string, object> };
      expect(Object.getPrototypeOf(a)).toBeNull();
      expect(Object.entries(a)).toEqual([
        [name, ['2', expect.anything()]],
        ['b', expect.anything()],
      ]);
      // xml2js drops the attribute __proto__, as the API drops any unknown member.
      expect(Object.entries(a['b']!)).toEqual(name === '__proto__' ? [] : [[name, '1']]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('a root may have this name, too', async () => {
    expect(Object.entries((await parseXml('<__proto__ a="1"/>', BOUNDS)) as object)).toEqual([
      ['__proto__', expect.anything()],
    ]);
  });
});
