import { integer, listOf, object, orNull, type Schema, string } from './schema-parts.js';

/** Lines of a file with the remarks about them. */
export const FILE_LINES = listOf(
  object({
    line: integer,
    reason: string,
    severity: { enum: ['info', 'warning', 'error'] },
    code: string,
    text: string,
  }),
);

/** A file in any form that an import accepts, and the data that is read from it. */
export const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  FileToRead: object({ zonefile: string, name: string }, ['name']),
  ReadFile: object({
    form: string,
    domain: orNull(string),
    email: orNull(string),
    records: listOf(
      object({
        line: integer,
        name: string,
        type: string,
        ttl: orNull(integer),
        data: string,
        priority: orNull(integer),
        description: orNull(string),
        tags: listOf(string),
      }),
    ),
    record_count: integer,
    not_taken: FILE_LINES,
    not_taken_count: integer,
    notes: FILE_LINES,
  }),
};
