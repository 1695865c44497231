// Measures the length of a token id, which every request contains.
import { logIn } from '../lib/tenant.mjs';

export async function measureTokenLength({ user, tenantId, startService }) {
  const service = await startService({});
  try {
    const passwordCredentials = { username: user.name, password: user.password };
    const token = await logIn(service.url, { passwordCredentials, tenantId });
    return [
      {
        titles: ['Token id', 'bytes', 'goal'],
        rows: [['scoped', String(token.length), '< 300']],
      },
    ];
  } finally {
    await service.stop();
  }
}
