import { accounts } from '@holdfast/contract/identity';
import type { PasswordPolicy, SignedIn } from '@holdfast/contract/identity';
import { audiences } from '@holdfast/contract/legacy/auth';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';

/** The audiences of the portal: one sign-in, three tokens. */
export const portalAudiences = [...audiences];

/** The rules of this installation; until they are known, those of the specification's floor. */
export function usePolicy(): PasswordPolicy | null {
  const { data } = useQuery({ ...read(accounts.policy, { quiet: true }), staleTime: Infinity });
  return data ?? null;
}

/** Keeps the tokens of a completed sign-in and goes on to where the visitor wanted to be. */
export function useCompleteSignIn(): (answer: SignedIn) => void {
  const portal = usePortal();
  const navigate = useNavigate();
  return (answer) => {
    const { main, staging, legacy } = answer.sessions ?? {};
    const sessions = {
      ...(main === undefined ? {} : { main }),
      ...(staging === undefined ? {} : { staging }),
      legacy: legacy ?? { token: answer.token, expiresIn: answer.expiresIn },
    };
    const returnTo = portal.departure.read()?.returnTo ?? '/';
    portal.departure.write(null);
    // A customer that the user before had chosen may be none of this one's.
    if (portal.worker.get()?.userId !== answer.user.id) portal.chooseWorker(null);
    portal.signIn.complete({ ...answer, sessions });
    void navigate(returnTo, { replace: true });
  };
}
