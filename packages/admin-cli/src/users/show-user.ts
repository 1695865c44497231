import type { User } from '@zonewright/accounts';
import type { Output } from '@zonewright/terminal';
import { USER_COLUMNS } from './user-columns.js';

/** A user, and the password that was made for it, which is printed this once. */
export function showUser(output: Output, user: User, generated: string | undefined): void {
  if (generated === undefined) {
    output.item(user, USER_COLUMNS);
    return;
  }
  output.item({ ...user, password: generated }, [
    ...USER_COLUMNS,
    { title: 'New password', member: 'password' },
  ]);
  output.remark('The password cannot be shown again.');
}
