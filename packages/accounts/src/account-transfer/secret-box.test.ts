import { describe, expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const PASSPHRASE = 'correct horse';
const box = SecretBox.create(PASSPHRASE);
const encryption = box.encryption!;

describe('SecretBox', () => {
  it('opens a secret for the owner for whom it was sealed', () => {
    const sealed = box.write('secret', 'user ada');
    expect(JSON.stringify(sealed)).not.toContain('secret');
    expect(SecretBox.open(PASSPHRASE, encryption).read(sealed, 'user ada')).toBe('secret');
  });

  it('cannot open a secret that was changed or moved to another owner', () => {
    const sealed = box.write('secret', 'user ada') as { sealed: string };
    expect(box.read(sealed, 'user bob')).toBeUndefined();
    expect(box.read({ sealed: `AAAA${sealed.sealed.slice(4)}` }, 'user ada')).toBeUndefined();
  });

  it('refuses a wrong passphrase, a short one, and an invalid header', () => {
    expect(() => SecretBox.open('wrong horse', encryption)).toThrow('wrong passphrase');
    expect(() => SecretBox.create('1234567')).toThrow(
      'a passphrase must have at least 8 characters',
    );
    expect(() => SecretBox.open(PASSPHRASE, { ...encryption, n: 3 })).toThrow('encryption header');
  });

  it('a header cannot ask for more memory than 256 MiB', () => {
    const large = { ...encryption, n: 2 ** 24 };
    expect(() => SecretBox.open(PASSPHRASE, large)).toThrow('encryption header');
  });

  it('leaves secrets in clear text without a passphrase', () => {
    const plain = SecretBox.plain();
    expect(plain.encryption).toBeUndefined();
    expect(plain.write('secret', 'user ada')).toEqual({ plain: 'secret' });
    expect(plain.read({ plain: 'secret' }, 'user ada')).toBe('secret');
    expect(plain.read(box.write('secret', 'user ada'), 'user ada')).toBeUndefined();
  });
});
