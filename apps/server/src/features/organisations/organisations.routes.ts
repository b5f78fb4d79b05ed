import { invitations } from '@holdfast/contract/invitations';
import { administration, members as contract, membersAtRoot, organisations as organisationRoutes } from '@holdfast/contract/members';
import { signInRules as signInRuleRoutes } from '@holdfast/contract/sign-in-rules';
import type { HttpApp } from '../../http/http-app.ts';
import type { Handlers } from '../../http/context.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../identity/index.ts';
import type { MembersService } from './members.service.ts';
import type { SignInRulesService } from './sign-in-rules.service.ts';
import type { OrganisationsService } from './organisations.service.ts';

function handlersOf(members: MembersService): Handlers<typeof contract> {
  return {
    list: async ({ actor, query }) => ({ items: await members.list(actor, query.organisationId) }),
    invite: ({ actor, body, request }) => members.invite(actor, body, callerOf(request)),
    update: ({ actor, params, query, body, request }) =>
      members.update(actor, { userId: params.userId, organisationId: query.organisationId }, body, callerOf(request)),
    remove: ({ actor, params, query, request }) =>
      members.remove(actor, { userId: params.userId, organisationId: query.organisationId }, callerOf(request)),
    resendInvitation: ({ actor, params, query, request }) =>
      members.resend(actor, { userId: params.userId, organisationId: query.organisationId }, callerOf(request)),
    withdrawInvitation: ({ actor, params, query, request }) =>
      members.withdraw(actor, { userId: params.userId, organisationId: query.organisationId }, callerOf(request)),
    confirm: ({ actor, params, query, request }) =>
      members.confirm(actor, { userId: params.userId, organisationId: query.organisationId }, callerOf(request)),
    endSessions: ({ actor, params, query, request }) =>
      members.endSessions(actor, { userId: params.userId, organisationId: query.organisationId }, callerOf(request)),
  };
}

/** Mounts organisations and members under the base path of a realm, members in both spellings. */
export function mountOrganisations(
  app: HttpApp,
  services: { readonly organisations: OrganisationsService; readonly members: MembersService; readonly signInRules: SignInRulesService },
  realm: 'production' | 'staging',
): void {
  const { organisations, members, signInRules } = services;
  mount(
    app,
    organisationRoutes,
    {
      list: async ({ actor }) => ({ items: await organisations.list(actor) }),
      create: ({ actor, body, request }) => organisations.create(actor, body, callerOf(request)),
      update: ({ actor, params, body, request }) => organisations.update(actor, params.organisationId, body, callerOf(request)),
    },
    { surface: 'main', realm },
  );
  mount(
    app,
    invitations,
    {
      look: ({ body }) => members.look(body.code, realm),
      register: ({ body, request }) => members.register(body.code, body.password, realm, callerOf(request)),
      accept: ({ actor, body, request }) => members.accept(actor, body.code, callerOf(request)),
      leave: ({ actor, params, request }) => members.leave(actor, params.organisationId, callerOf(request)),
    },
    { surface: 'main', realm },
  );
  mount(
    app,
    signInRuleRoutes,
    {
      read: ({ actor, query, request }) => signInRules.read(actor, query.organisationId, callerOf(request)),
      change: ({ actor, query, body, request }) => signInRules.change(actor, query.organisationId, body, callerOf(request)),
    },
    { surface: 'main', realm },
  );
  mount(app, contract, handlersOf(members), { surface: 'main', realm });
  mount(app, membersAtRoot, handlersOf(members) as unknown as Handlers<typeof membersAtRoot>, { surface: 'main', realm });
}

/** Mounts the legacy spelling of an invitation. */
export function mountAdministration(app: HttpApp, members: MembersService): void {
  mount(
    app,
    administration,
    { createUser: ({ actor, body, request }) => members.invite(actor, body, callerOf(request)) },
    { surface: 'legacy', realm: 'production' },
  );
}
