import { describe, expect, it } from '@jest/globals';
import {
  attribute,
  bareList,
  element,
  group,
  jsonConstant,
  list,
  object,
  only,
  represent,
  type Resource,
  words,
} from './representation.js';

interface Thing {
  readonly id: string;
  readonly note: string | null | undefined;
  readonly parts: readonly string[];
}

const PART = { name: 'part', shape: [attribute<string>('name', (part) => part)] };
const THING: Resource<Thing> = {
  root: 'thing',
  namespace: 'urn:x',
  wrappedInJson: true,
  shape: [
    attribute('id', (thing) => thing.id),
    element('note', (thing) => thing.note),
    list('parts', PART, (thing) => thing.parts),
    bareList('bare', PART, (thing) => thing.parts),
    words('names', 'name', (thing) => thing.parts),
    object('inner', [attribute<Thing>('size', (thing) => thing.parts.length)], (thing) => thing),
    group('other', [attribute('kind', () => 'k')]),
    only('json', [attribute('j', () => true)]),
    only('xml', [attribute('x', () => true)]),
    jsonConstant('constant', {}),
  ],
};

describe('a resource', () => {
  it('one description gives both formats', () => {
    const { toJson, toXml } = represent(THING, { id: 'i', note: 'n', parts: ['a', 'b'] });
    expect(JSON.parse(toJson())).toEqual({
      thing: {
        id: 'i',
        note: 'n',
        parts: [{ name: 'a' }, { name: 'b' }],
        bare: [{ name: 'a' }, { name: 'b' }],
        names: ['a', 'b'],
        inner: { size: 2 },
        other: { kind: 'k' },
        j: true,
        constant: {},
      },
    });
    expect(toXml()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><thing xmlns="urn:x" id="i" kind="k" x="true"><note>n</note>' +
        '<parts><part name="a"/><part name="b"/></parts><part name="a"/><part name="b"/>' +
        '<names><name>a</name><name>b</name></names><inner size="2"/></thing>',
    );
  });

  it('XML 1.0 s2.2: replaces characters that XML cannot contain, and escapes those with a meaning', () => {
    const text = 'a\u0000\u001f\ud800\uffff<&>"\'\t\n\u{1f600}';
    const xml = represent(THING, { id: text, note: text, parts: [] }).toXml();
    expect(xml).toContain('a\ufffd\ufffd\ufffd\ufffd&lt;&amp;');
    expect(xml).toContain('\u{1f600}');
  });

  it('omits undefined in both formats, and null in XML', () => {
    const without = represent(THING, { id: 'i', note: undefined, parts: [] });
    expect(without.toJson()).not.toContain('note');
    const withNull = represent(THING, { id: 'i', note: null, parts: [] });
    expect(withNull.toJson()).toContain('"note":null');
    expect(withNull.toXml()).not.toContain('note');
  });
});
