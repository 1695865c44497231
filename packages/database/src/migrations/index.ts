import type { Knex } from 'knex';
import { identityTables } from './0001-identity-tables.js';
import { dnsTables } from './0002-dns-tables.js';
import { rolesAndRights } from './0003-roles-and-rights.js';
import { publication } from './0004-publication.js';
import { operatorSeesVersion } from './0005-operator-sees-version.js';
import { retention } from './0006-retention.js';
import { endsOfTokens } from './0008-ends-of-tokens.js';
import { databaseIdentity } from './0011-database-identity.js';
import { locksByRole } from './0012-locks-by-role.js';
import { mailTargetRule } from './0015-mail-target-rule.js';
import { zoneContentBySerial } from './0018-zone-content-by-serial.js';
import { recordTypes } from './0019-record-types.js';
import { restrictedAccessKeys } from './0020-restricted-access-keys.js';
import { zonesBetweenTenants } from './0022-zones-between-tenants.js';
import { administrationOverHttp } from './0023-administration-over-http.js';
import { recordsets } from './0024-recordsets.js';
import { historySaysWhy } from './0032-history-says-why.js';
import { dynamicUpdates } from './0033-dynamic-updates.js';
import { peers } from './0034-peers.js';
import { zoneAttributes } from './0035-zone-attributes.js';
import { dnssec } from './0036-dnssec.js';
import { secondaries } from './0037-secondaries.js';
import { projectTags } from './0039-project-tags.js';
import { transferKeys } from './0040-transfer-keys.js';
import { dnssecWishes } from './0041-dnssec-wishes.js';
import { dnssecAudits } from './0042-dnssec-audits.js';
import { dsFrom } from './0046-ds-from.js';
import { searchTexts } from './0049-search-texts.js';
import { recordFlags } from './0050-record-flags.js';
import { foreignKeys } from './0051-foreign-keys.js';
import { zonesAhead } from './0068-zones-ahead.js';

/** A migration, once merged, is never edited: a new one is added, at the end. */
export const MIGRATIONS: readonly { readonly name: string; readonly migration: Knex.Migration }[] =
  [
    { name: '0001-identity-tables', migration: identityTables },
    { name: '0002-dns-tables', migration: dnsTables },
    { name: '0003-roles-and-rights', migration: rolesAndRights },
    { name: '0004-publication', migration: publication },
    { name: '0005-operator-sees-version', migration: operatorSeesVersion },
    { name: '0006-retention', migration: retention },
    { name: '0008-ends-of-tokens', migration: endsOfTokens },
    { name: '0011-database-identity', migration: databaseIdentity },
    { name: '0012-locks-by-role', migration: locksByRole },
    { name: '0015-mail-target-rule', migration: mailTargetRule },
    { name: '0018-zone-content-by-serial', migration: zoneContentBySerial },
    { name: '0019-record-types', migration: recordTypes },
    { name: '0020-restricted-access-keys', migration: restrictedAccessKeys },
    { name: '0022-zones-between-tenants', migration: zonesBetweenTenants },
    { name: '0023-administration-over-http', migration: administrationOverHttp },
    { name: '0024-recordsets', migration: recordsets },
    { name: '0032-history-says-why', migration: historySaysWhy },
    { name: '0033-dynamic-updates', migration: dynamicUpdates },
    { name: '0034-peers', migration: peers },
    { name: '0035-zone-attributes', migration: zoneAttributes },
    { name: '0036-dnssec', migration: dnssec },
    { name: '0037-secondaries', migration: secondaries },
    { name: '0039-project-tags', migration: projectTags },
    { name: '0040-transfer-keys', migration: transferKeys },
    { name: '0041-dnssec-wishes', migration: dnssecWishes },
    { name: '0042-dnssec-audits', migration: dnssecAudits },
    { name: '0046-ds-from', migration: dsFrom },
    { name: '0049-search-texts', migration: searchTexts },
    { name: '0050-record-flags', migration: recordFlags },
    { name: '0051-foreign-keys', migration: foreignKeys },
    { name: '0068-zones-ahead', migration: zonesAhead },
  ];
