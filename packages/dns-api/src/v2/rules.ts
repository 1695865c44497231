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
import { ofV2 } from './http/operation.js';

/** How the API speaks of a kind of rules. */
interface RuleWords {
  readonly kind: NameRuleKind;
  /** In paths and lists. */
  readonly plural: 'tlds' | 'blacklists';
  /** The member that holds the pattern. */
  readonly member: 'name' | 'pattern';
  /** In ids and names of operations, and of schemas. */
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
  const { kind, plural, member, title } = words;
  const all = `/${plural}`;
  const one = `${all}/{${kind}Id}`;
  const id = ({ params }: ProjectRequest) => params[`${kind}Id`] ?? '';
  const form = {
    filters: [member, 'description'] as const,
    sortKeys: ['created_at', 'id', 'updated_at', member] as [NameRuleSortKey, ...NameRuleSortKey[]],
  };
  const draft = (request: ProjectRequest) =>
    readMembers(request.body, [member, 'description'], READ_ONLY);
  const render = (request: ProjectRequest, rule: NameRule) => renderRule(request, words, rule);
  const common = { access: 'cloud-admin' } as const;
  const answers = `${title}V2`;
  return ofV2([
    {
      ...common,
      id: `create${title}`,
      name: `Create ${title} (v2)`,
      method: 'POST',
      status: 201,
      path: all,
      body: 'json',
      reads: `${title}InputV2`,
      answers,
      creates: true,
      faults: [409],
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          const rendered = render(request, await createNameRule(trx, kind, draft(request)));
          return { reply: createdReply(rendered, { Location: rendered.links.self }) };
        }),
    },
    {
      ...common,
      id: `list${title}s`,
      name: `List ${title}s (v2)`,
      method: 'GET',
      path: all,
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
          render: (rule) => render(request, rule),
        }),
    },
    {
      ...common,
      id: `get${title}`,
      name: `Get ${title} (v2)`,
      method: 'GET',
      path: one,
      body: 'none',
      answers,
      handle: async ({ db }, request) =>
        jsonReply(render(request, await getNameRule(db, kind, id(request)))),
    },
    {
      ...common,
      id: `update${title}`,
      name: `Update ${title} (v2)`,
      method: 'PATCH',
      path: one,
      body: 'json',
      reads: `${title}InputV2`,
      answers,
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          const rule = await changeNameRule(trx, kind, id(request), draft(request));
          return { reply: jsonReply(render(request, rule)) };
        }),
    },
    {
      ...common,
      id: `delete${title}`,
      name: `Delete ${title} (v2)`,
      method: 'DELETE',
      status: 204,
      path: one,
      body: 'none',
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          await removeNameRule(trx, kind, id(request));
          return { reply: noContentReply() };
        }),
    },
  ]);
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
