import { describe, expect, it } from '@jest/globals';
import { verifyPassword } from '@zonewright/database';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

async function storedUser(name: string) {
  const [user] = await installation.select<{ hash: string; validAfter: Date | null }>(
    `select password_hash as hash, tokens_valid_after as "validAfter" from identity.users where name = '${name}'`,
  );
  return user!;
}

describe('user create', () => {
  it('reads the password from standard input, without the line end, and stores only its hash', async () => {
    const result = await installation.run('user create alice --password-stdin', 'correct horse\n');
    expect(result.exitCode).toBe(0);
    const { hash } = await storedUser('alice');
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    expect(result.stdout + result.stderr).not.toContain('correct horse');
  });

  it("keeps the user's id and adds the user to the given account domain (D-ID-2)", async () => {
    await installation.run('account-domain create "Acme Ltd"');
    const user = await installation.json(
      'user create bob --id 10020030040050 --account-domain "Acme Ltd" --no-password',
    );
    expect(user).toMatchObject({
      id: '10020030040050',
      name: 'bob',
      accountDomainName: 'Acme Ltd',
      status: 'enabled',
      hasPassword: false,
    });
  });

  it('--generate-password prints a valid password once', async () => {
    const { password } = await installation.json<{ password: string }>(
      'user create carol --generate-password',
    );
    expect(password).toMatch(/^[A-Za-z2-9]{24}$/);
    expect(await verifyPassword((await storedUser('carol')).hash, password)).toBe(true);
    expect(await installation.json('user show carol')).not.toHaveProperty('password');
  });

  it.each([
    ['user create alice --no-password', 4, 'a user named "alice" already exists'],
    [
      'user create x --id 10020030040050 --no-password',
      4,
      'a user with the id "10020030040050" already exists',
    ],
    [
      'user create x --no-password --account-domain Nowhere',
      3,
      'no account domain has the id or name "Nowhere"',
    ],
    [
      'user create x --no-password --id "a b"',
      2,
      'an id must have 1 to 64 characters without blanks',
    ],
    [
      'user create " x" --no-password',
      2,
      'the name must not be empty, begin or end with a blank, or contain control characters',
    ],
    ['user create x --password-stdin', 2, 'the password must not be empty'],
    ['user create x', 2, 'the password cannot be read without a terminal. Use --password-stdin.'],
  ])('%s is refused with one sentence', async (command, exitCode, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });

  it.each(['--password-stdin --generate-password', '--no-password --generate-password'])(
    'refuses %s, which contradict each other',
    async (options) => {
      const { exitCode, stderr } = await installation.run(`user create x ${options}`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('cannot be used with');
    },
  );

  it.each([
    ['p', 'too short'],
    ['1234567', 'a character less than NIST SP 800-63B s5.1.1.2 asks for'],
    ['Longenoughname', 'the name of the user'],
  ])('refuses the password %s, %s, unless an option allows it', async (password) => {
    const create = 'user create longenoughname --password-stdin';
    const refused = await installation.run(create, password);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(
      /^zonewright-admin: a password must have at least 8 characters .+ --allow-weak-password /,
    );
    expect(refused.stderr).not.toContain(`"${password}"`);
    expect((await installation.run('user show longenoughname')).exitCode).toBe(3);

    const change = await installation.run('user set-password alice --password-stdin', 'pass');
    expect(change.exitCode).toBe(2);
    const options = '--password-stdin --allow-weak-password';
    const taken = await installation.run(`user set-password alice ${options}`, password);
    expect(taken.exitCode).toBe(0);
    expect(await verifyPassword((await storedUser('alice')).hash, password)).toBe(true);
  });

  it('takes no password as an argument', async () => {
    const { exitCode } = await installation.run('user create x --password secret');
    expect(exitCode).toBe(2);
  });
});

describe('user set-password', () => {
  it('replaces the password and ends all earlier tokens', async () => {
    const before = new Date();
    await installation.run('user set-password alice --password-stdin', 'battery staple');
    const { hash, validAfter } = await storedUser('alice');
    expect(await verifyPassword(hash, 'battery staple')).toBe(true);
    expect(validAfter!.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1000);
  });

  it('generates a password on request, and prints it once', async () => {
    const { stdout } = await installation.run('user set-password alice --generate-password --json');
    const { password } = JSON.parse(stdout) as { password: string };
    expect(await verifyPassword((await storedUser('alice')).hash, password)).toBe(true);
  });

  it('does not ask for a password for a user who does not exist', async () => {
    const { exitCode, stderr } = await installation.run('user set-password nobody', 'x');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('no user has the id or name "nobody"');
  });
});

describe('user revoke-all', () => {
  const generationOf = async (name: string) => {
    const [user] = await installation.select<{ generation: number }>(
      `select credential_generation as generation from identity.users where name = '${name}'`,
    );
    return user?.generation;
  };

  it('ends every token, and keeps the password and the access keys, which it reports', async () => {
    const key = await installation.json<{ id: string }>('access-key create --user alice');
    const before = [await generationOf('alice'), (await storedUser('alice')).hash];
    const { stdout, stderr } = await installation.run('user revoke-all alice --json');
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'alice',
      deactivatedAccessKeys: [],
      activeAccessKeys: [key.id],
    });
    expect(stderr).toContain('1 active access keys can still get tokens for this user');
    const after = [await generationOf('alice'), (await storedUser('alice')).hash];
    expect(after).toEqual([Number(before[0]) + 1, before[1]]);
  });

  it('--keys also disables the access keys', async () => {
    const { deactivatedAccessKeys, activeAccessKeys } = await installation.json<{
      deactivatedAccessKeys: string[];
      activeAccessKeys: string[];
    }>('user revoke-all alice --keys');
    expect([deactivatedAccessKeys.length, activeAccessKeys.length]).toEqual([1, 0]);
    const keys = await installation.json<{ status: string }[]>('access-key list --user alice');
    expect(keys.map(({ status }) => status)).toEqual(['inactive']);
  });

  it('refuses a user who does not exist', async () => {
    expect((await installation.run('user revoke-all nobody')).exitCode).toBe(3);
  });
});

describe('user enable, disable, suspend', () => {
  it.each([
    ['disable', 'disabled'],
    ['suspend', 'suspended'],
    ['enable', 'enabled'],
  ])('%s sets the status %s', async (command, status) => {
    expect(await installation.json(`user ${command} 10020030040050`)).toMatchObject({ status });
  });
});

describe('user list', () => {
  it('--account-domain shows the users of that account domain', async () => {
    const users = await installation.json<{ name: string }[]>(
      'user list --account-domain "Acme Ltd"',
    );
    expect(users.map(({ name }) => name)).toEqual(['bob']);
  });

  it('shows no password hash', async () => {
    const { stdout } = await installation.run('user list --json');
    expect(stdout).not.toContain('argon2');
    expect(stdout).toContain('"alice"');
  });
});
