import { describe, expect, it } from '@jest/globals';
import { fillTemplate } from './output.js';

const DOCUMENT = {
  ...{ name: 'www', ttl: 60, off: false, data: null, tags: ['a', 'b'] },
  parent: { ds: [{ tag: 7 }] },
  nothing: undefined,
};

describe('fillTemplate', () => {
  it.each([
    ['{{name}} {{ ttl }}\\t{{off}}', 'www 60\tfalse'],
    ['[{{data}}{{nothing}}{{data.more}}]', '[]'],
    ['{{tags}} {{tags.0}} {{parent.ds.0.tag}}', '["a","b"] a 7'],
    ['\\\\n {name} {{{name}}}', '\\n {name} {www}'],
  ])('%s', (template, text) => {
    expect(fillTemplate(template, DOCUMENT)).toBe(text);
  });

  it('removes characters that move the cursor of a terminal', () => {
    expect(fillTemplate('{{name}}', { name: 'a\u001b[2J' })).toBe('a?[2J');
  });

  it.each([
    ['{{nmae}}', DOCUMENT, 'Members: name, ttl, off, data, tags, parent, nothing'],
    ['{{name.first}}', DOCUMENT, 'no member "first" for {{name.first}}. Members: none'],
    ['{{constructor}}', {}, 'no member "constructor"'],
    ['{{name}}', 'a text', 'no member "name"'],
  ])('%s of %j: lists the available members', (template, document, message) => {
    expect(() => fillTemplate(template, document)).toThrow(message);
  });
});
