import { randomUUID } from 'node:crypto';
import { type Keyring, secretIdentity } from '@zonewright/database';
import { CSK_FLAGS, generateSigningKey, keyTagOf } from '@zonewright/dns-records/dnssec';
import type { Clock } from '@zonewright/service-kit';
import { insertZoneKey, listKeyTags, type MaintenanceContext } from '@zonewright/zones';

/** Creates keys for zones and seals them at once. Key tags are unique within a zone, so a tag identifies a key. */
export function keyCreator(keyring: Keyring, clock: Clock): MaintenanceContext['createKey'] {
  return async (trx, { zoneId, algorithm, state }) => {
    const tags = await listKeyTags(trx, zoneId);
    for (;;) {
      const { privateKey, publicKey } = generateSigningKey(algorithm);
      const keyTag = keyTagOf({ flags: CSK_FLAGS, algorithm, publicKey });
      if (tags.includes(keyTag)) continue;
      const id = randomUUID();
      const der = privateKey.export({ format: 'der', type: 'pkcs8' });
      const secret = keyring.seal(der, secretIdentity.zoneKey(id));
      der.fill(0);
      const at = new Date(clock.now());
      await insertZoneKey(trx, {
        ...{ id, zoneId, algorithm, flags: CSK_FLAGS, keyTag, publicKey, secret, state, at },
      });
      return;
    }
  };
}
