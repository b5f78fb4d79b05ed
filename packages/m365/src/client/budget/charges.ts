import { costOf, methodOf, type RouteName } from '../routes/routes.ts';
import type { RouteCost, SharePointCost, TeamsCost } from '../routes/route-cost.ts';
import type { BudgetCharge, SlotCharge, WindowCharge } from './budget-port.ts';
import {
  DIRECTORY_WRITES,
  directoryLimit,
  OUTLOOK,
  REPORTS,
  SHAREPOINT,
  sharePointLimits,
  TEAMS,
  TEAMS_PARTS,
  type Limit,
} from './limits.ts';

/** Whose budgets: part of every bucket's name. */
export interface BudgetOwner {
  readonly tenantId: string;
  readonly clientId: string;
  readonly licenceCount: number;
  readonly userCount: number;
}

export interface Spending {
  readonly route: RouteName;
  readonly params: readonly string[];
  /** The mailbox to charge when the path does not begin with its owner. */
  readonly mailbox?: string;
  /** A link of the service's own, with a token in it. */
  readonly isLink?: boolean;
  readonly bytesIn?: number;
  readonly bytesOut?: number;
}

export interface ChargeTable {
  /** What a request takes from which buckets, before it is sent. */
  chargesOf(spending: Spending): readonly BudgetCharge[];
}

/** Well below the minute in which the run of a dead worker is taken up: its slots must not hold the next one up. */
const LEASE_MS = 30_000;

function windowCharge(name: string, cost: number, limit: Limit & { readonly heldForRestores?: number }): WindowCharge {
  return { name, cost, ...limit };
}

function slots(limit: number, heldForRestores: number): SlotCharge {
  return { limit, heldForRestores, leaseMs: LEASE_MS };
}

export function createChargeTable(owner: BudgetOwner): ChargeTable {
  const scope = `${owner.tenantId}/${owner.clientId}`;
  const sharePoint = sharePointLimits(owner.licenceCount);
  const directory = directoryLimit(owner.userCount);

  function outlookCharges(spending: Spending): BudgetCharge[] {
    const mailbox = (spending.mailbox ?? spending.params[0] ?? '').toLowerCase();
    const windows = [windowCharge('requests', 1, OUTLOOK.requests)];
    if (spending.bytesOut) windows.push(windowCharge('upload', spending.bytesOut, OUTLOOK.uploadBytes));
    return [{ bucket: `outlook/${scope}/${mailbox}`, windows, slots: slots(OUTLOOK.slots, OUTLOOK.slotsForRestores) }];
  }

  function sharePointCharges(spending: Spending, cost: SharePointCost): BudgetCharge[] {
    const units = spending.isLink ? 1 : cost.units;
    const windows = [windowCharge('minute', units, sharePoint.minute), windowCharge('day', units, sharePoint.day)];
    if (spending.bytesIn) windows.push(windowCharge('in', spending.bytesIn, SHAREPOINT.bytesIn));
    if (spending.bytesOut) windows.push(windowCharge('out', spending.bytesOut, SHAREPOINT.bytesOut));
    if (cost.sharing) windows.push(windowCharge('sharing', 1, SHAREPOINT.sharing));
    return [{ bucket: `sharepoint/${scope}`, windows }];
  }

  function conversationCharge(spending: Spending, conversation: number): BudgetCharge {
    const bucket = `teams/${scope}/conversation/${spending.params[conversation] ?? ''}`;
    return { bucket, windows: [windowCharge('requests', 1, TEAMS_PARTS.conversation)], slots: slots(1, 0) };
  }

  function teamsCharges(spending: Spending, cost: TeamsCost): BudgetCharge[] {
    const charges: BudgetCharge[] = [
      { bucket: `teams/${scope}/${cost.family}`, windows: [windowCharge('requests', 1, TEAMS[cost.family])] },
    ];
    if (cost.team !== undefined) {
      const windows = [windowCharge('requests', 1, TEAMS_PARTS.team)];
      if (cost.addsMember) windows.push(windowCharge('members', 1, TEAMS_PARTS.addMember));
      charges.push({ bucket: `teams/${scope}/team/${spending.params[cost.team] ?? ''}`, windows });
    }
    if (cost.conversation !== undefined) charges.push(conversationCharge(spending, cost.conversation));
    if (cost.chatsOfUser !== undefined) {
      const windows = [windowCharge('requests', 1, TEAMS_PARTS.chatsOfUser)];
      charges.push({ bucket: `teams/${scope}/chats/${spending.params[cost.chatsOfUser] ?? ''}`, windows });
    }
    return charges;
  }

  function directoryCharges(spending: Spending, units: number): BudgetCharge[] {
    const windows = [windowCharge('units', units, directory)];
    if (methodOf(spending.route) !== 'GET') windows.push(windowCharge('writes', 1, DIRECTORY_WRITES));
    return [{ bucket: `directory/${scope}`, windows }];
  }

  function chargesFor(spending: Spending, cost: RouteCost): readonly BudgetCharge[] {
    switch (cost.service) {
      case 'outlook':
        return outlookCharges(spending);
      case 'sharepoint':
        return sharePointCharges(spending, cost);
      case 'teams':
        return teamsCharges(spending, cost);
      case 'directory':
        return directoryCharges(spending, cost.units);
      case 'report':
        return [{ bucket: `report/${scope}/${spending.route}`, windows: [windowCharge('requests', 1, REPORTS)] }];
      case 'none':
        return [];
    }
  }

  return Object.freeze({
    chargesOf: (spending: Spending) => chargesFor(spending, costOf(spending.route)),
  });
}

function addWindows(known: readonly WindowCharge[], more: readonly WindowCharge[]): WindowCharge[] {
  const merged = new Map(known.map((window) => [window.name, window]));
  for (const window of more) {
    const before = merged.get(window.name);
    merged.set(window.name, before ? { ...window, cost: before.cost + window.cost } : window);
  }
  return [...merged.values()];
}

/** What several requests sent as one take together. Slots are taken once: the parts go one after another. */
export function mergeCharges(parts: readonly (readonly BudgetCharge[])[]): readonly BudgetCharge[] {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const merged = new Map<string, BudgetCharge>();
  for (const charge of parts.flat()) {
    const before = merged.get(charge.bucket);
    merged.set(charge.bucket, before ? { ...charge, windows: addWindows(before.windows, charge.windows) } : charge);
  }
  return [...merged.values()];
}
