import { expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { countConnections } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();

it('counts used and free connections, and waiting requests', async () => {
  const db = database.open({ maxConnections: 1 });
  expect(countConnections(db)).toEqual({ used: 0, free: 0, waiting: 0, limit: 1 });

  const transaction = await db.transaction();
  const waits = db.raw('select 1').then();
  await waitFor(() => countConnections(db).waiting === 1);
  expect(countConnections(db)).toEqual({ used: 1, free: 0, waiting: 1, limit: 1 });

  await transaction.rollback();
  await waits;
  await waitFor(() => countConnections(db).free === 1);
  expect(countConnections(db)).toEqual({ used: 0, free: 1, waiting: 0, limit: 1 });
});
