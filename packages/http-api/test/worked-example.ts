import { form, text } from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import type { Note, Notebook, NoteOperation } from './support/notes-api.js';

const NOTE = form('note', {
  namespace: 'urn:example:notes',
  fields: { text: text({ maxLength: 100 }) },
});

export const UPDATE_NOTE: NoteOperation = {
  id: 'updateNote',
  name: 'Update Note',
  method: 'PUT',
  path: '/notes/{noteId}',
  access: 'token',
  limit: { requestsPerSecond: 3 },
  body: NOTE,
  faults: [404],
  handle: updateNote,
};

function updateNote(notes: Notebook, { noteId }: { noteId: string }, note: Note): Note {
  if (!notes.has(noteId)) throw new ServiceError('not-found', `there is no note ${noteId}`);
  notes.set(noteId, note.text);
  return note;
}
