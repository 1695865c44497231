import {
  changeNameRule,
  createNameRule,
  getNameRule,
  listNameRules,
  type NameRule,
  type NameRuleKind,
  type NameRuleSortKey,
  removeNameRule,
} from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { type ProjectRequest, readMembers } from './http/request.js';
import { describeList, listPageReply, textFilterOf } from './http/list-query.js';
import { createdReply, linkOf, noContentReply } from './http/reply.js';
import { ofV2, type V2Operation } from './http/operation.js';

/** Names of a kind of rules in the API. */
interface RuleWords {
  readonly kind: NameRuleKind;
  /** Name in paths and lists. */
  readonly plural: 'tlds' | 'blacklists';
  /** Member that contains the pattern. */
  readonly member: 'name' | 'pattern';
  /** Name in ids and names of operations, and of schemas. */
  readonly title: 'Tld' | 'Blacklist';
}

const READ_ONLY = ['id', 'created_at', 'updated_at', 'links'];

export const RULE_OPERATIONS: readonly Operation[] = [
  ...ruleOperations({ kind: 'tld', plural: 'tlds', member: 'name', title: 'Tld' }),
  ...ruleOperations({
    kind: 'blacklist',
    plural: 'blacklists',
    member: 'pattern',
    title: 'Blacklist',
  }),
];

function ruleOperations(words: RuleWords): Operation[] {
  return ofV2([...operationsOnAll(words), ...operationsOnOne(words)]);
}

function operationsOnAll(words: RuleWords): V2Operation[] {
  const { kind, plural, member, title } = words;
  const form = {
    filters: [member, 'description'] as const,
    sortKeys: ['created_at', 'id', 'updated_at', member] as [NameRuleSortKey, ...NameRuleSortKey[]],
  };
  const common = { access: 'cloud-admin', path: `/${plural}` } as const;
  return [
    {
      ...common,
      id: `create${title}`,
      name: `Create ${title} (v2)`,
      method: 'POST',
      status: 201,
      body: 'json',
      reads: `${title}InputV2`,
      answers: `${title}V2`,
      creates: true,
      faults: [409],
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          const rendered = renderRule(
            request,
            words,
            await createNameRule(trx, kind, readDraft(request, words)),
          );
          return { reply: createdReply(rendered, { Location: rendered.links.self }) };
        }),
    },
    {
      ...common,
      id: `list${title}s`,
      name: `List ${title}s (v2)`,
      method: 'GET',
      body: 'none',
      answers: `${title}sV2`,
      query: describeList(form),
      handle: async ({ db }, request) =>
        listPageReply(request, {
          member: plural,
          form,
          fetch: (filters: Readonly<Record<string, string | undefined>>, order) =>
            listNameRules(
              db,
              {
                kind,
                pattern: textFilterOf(filters[member]),
                description: textFilterOf(filters['description']),
              },
              order,
            ),
          render: (rule) => renderRule(request, words, rule),
        }),
    },
  ];
}

function operationsOnOne(words: RuleWords): V2Operation[] {
  const { kind, plural, title } = words;
  const answers = `${title}V2`;
  const id = ({ params }: ProjectRequest) => params[`${kind}_id`] ?? '';
  const common = { access: 'cloud-admin', path: `/${plural}/{${kind}_id}` } as const;
  return [
    {
      ...common,
      id: `get${title}`,
      name: `Get ${title} (v2)`,
      method: 'GET',
      body: 'none',
      answers,
      handle: async ({ db }, request) =>
        jsonReply(renderRule(request, words, await getNameRule(db, kind, id(request)))),
    },
    {
      ...common,
      id: `update${title}`,
      name: `Update ${title} (v2)`,
      method: 'PATCH',
      body: 'json',
      reads: `${title}InputV2`,
      answers,
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          const rule = await changeNameRule(trx, kind, id(request), readDraft(request, words));
          return { reply: jsonReply(renderRule(request, words, rule)) };
        }),
    },
    {
      ...common,
      id: `delete${title}`,
      name: `Delete ${title} (v2)`,
      method: 'DELETE',
      status: 204,
      body: 'none',
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          await removeNameRule(trx, kind, id(request));
          return { reply: noContentReply() };
        }),
    },
  ];
}

function readDraft({ body }: ProjectRequest, { member }: RuleWords) {
  return readMembers(body, [member, 'description'], READ_ONLY);
}

function renderRule(request: ProjectRequest, { plural, member }: RuleWords, rule: NameRule) {
  return {
    id: rule.id,
    [member]: rule.pattern,
    description: rule.description,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
    links: linkOf(request, `${plural}/${rule.id}`),
  };
}
