import { COLUMNS } from '@zonewright/zones';
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

/** The columns of a table in their order. */
export const FILE_COLUMNS = { type: 'array', items: { enum: [...COLUMNS] } };

/** A file in any form that an import accepts, and the data that is read from it. */
export const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  FileToRead: object({ zonefile: string, name: string, columns: FILE_COLUMNS }, [
    'name',
    'columns',
  ]),
  ReadFile: object({
    form: string,
    columns: orNull(FILE_COLUMNS),
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
