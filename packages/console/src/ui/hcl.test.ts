import { describe, expect, it } from '@jest/globals';
import { hclResource } from './hcl.js';

const written = (text: string) => hclResource('a', 'b', { text }).split('\n')[1]?.trim();

describe('hclResource', () => {
  it.each([
    ['plain', 'text = "plain"'],
    ['v=spf1 "mx" -all', String.raw`text = "v=spf1 \"mx\" -all"`],
    [String.raw`a\"b`, String.raw`text = "a\\\"b"`],
    ['${var.secret}', 'text = "$${var.secret}"'],
    ['%{ if true }', 'text = "%%{ if true }"'],
    // Of three dollar signs the last two are the escape, and the first is literal.
    ['$${x} $ {x} %', 'text = "$$${x} $ {x} %"'],
    ['one\ntwo\r\tthree\u0000', String.raw`text = "one\ntwo\r\tthree\u0000"`],
    ['', 'text = ""'],
  ])('escapes the text %j completely', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  it('omits undefined values, and lists texts', () => {
    expect(hclResource('t', 'n', { name: 'x.', ttl: undefined, records: ['a', '"b"'] })).toBe(
      'resource "t" "n" {\n  name    = "x."\n  records = ["a", "\\"b\\""]\n}',
    );
  });

  it.each([
    ['www.example.com', 'www_example_com'],
    ['*.example.com', '__example_com'],
    ['1.2.0.192.in-addr.arpa', '_1_2_0_192_in-addr_arpa'],
  ])('names %s %s', (name, label) => {
    expect(hclResource('t', name, { ttl: 1 })).toContain(`resource "t" "${label}" {`);
  });

  it('imports existing resources', () => {
    expect(hclResource('t', 'n.', { ttl: 1 }, 'an-id')).toBe(
      'import {\n  to = t.n\n  id = "an-id"\n}\nresource "t" "n" {\n  ttl = 1\n}',
    );
  });
});
