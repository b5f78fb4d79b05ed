import { accounts } from '@holdfast/contract/identity';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { read } from './queries.ts';

/** Whether this failure says that the session must be completed first: a second factor or a confirmed address is due. */
export function isRestriction(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'identity.second-factor-required' || error.code === 'identity.email-not-confirmed');
}

/** True while the session must be completed first. It follows what the gate has read and asks nothing itself. */
export function useRestricted(): boolean {
  const { error } = useQuery({ ...read(accounts.account, { quiet: true }), enabled: false });
  return isRestriction(error);
}
