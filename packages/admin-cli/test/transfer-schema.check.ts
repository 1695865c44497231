import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { PART_RULES } from '../src/account-transfer/document-rules.js';

interface ObjectSchema {
  readonly required: string[];
  readonly properties: Record<string, unknown>;
  readonly additionalProperties: boolean;
}

const schema = JSON.parse(
  readFileSync(new URL('../../../docs/account-export.schema.json', import.meta.url), 'utf8'),
) as { $defs: Record<string, ObjectSchema> };

describe('docs/account-export.schema.json', () => {
  it.each(Object.entries(PART_RULES))(
    'has the members of %s that the import reads, and requires the same ones',
    (part, rules) => {
      const { properties, required, additionalProperties } = schema.$defs[part]!;
      expect(Object.keys(properties)).toEqual(Object.keys(rules));
      const wanted = Object.entries(rules).filter(([, rule]) => !('isOptional' in rule));
      expect(required).toEqual(wanted.map(([name]) => name));
      expect(additionalProperties).toBe(false);
    },
  );
});
