import { mayDo, rolesToGive } from '@holdfast/contract/actions';
import type { Action, Role } from '@holdfast/contract/actions';
import { createContext, useContext } from 'react';
import type { Portal } from './portal.ts';
import { useStore } from './store.ts';
import type { ChosenWorker } from './worker-choice.ts';
import { roleOf } from './worker-choice.ts';

export const PortalContext = createContext<Portal | null>(null);

/** The portal that surrounds this component. */
export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (portal === null) throw new Error('Not inside a portal.');
  return portal;
}

/** The chosen customer and worker. */
export function useChosenWorker(): ChosenWorker | null {
  return useStore(usePortal().worker);
}

/** Whether the reader's role allows this at all; what it does not allow is absent. The server decides. */
export function useMay(action: Action): boolean {
  const role = roleOf(useChosenWorker());
  return role !== null && mayDo(role, action);
}

/** The roles that the reader may give and take: none above their own. */
export function useRolesToGive(): readonly Role[] {
  const role = roleOf(useChosenWorker());
  return role === null ? [] : rolesToGive(role);
}
