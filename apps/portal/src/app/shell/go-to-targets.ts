import { mayDo } from '@holdfast/contract/actions';
import { jobAddress, jobs } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useChosenWorker, useMay, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { roleOf } from '../../api/worker-choice.ts';
import { restoreLink, useHeldSources } from '../../features/restore/index.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { groupTitles } from '../route-table.ts';
import { pageRoutes } from '../routes.ts';

/** Somewhere to go: a page, a job, or the data of somebody. */
export interface Target {
  readonly to: string;
  readonly label: string;
  /** What it is, or where it belongs. */
  readonly group: string;
}

/** The server is asked when the reader pauses, and not for a single letter. */
const pauseMs = 300;
const fewestLetters = 2;
/** Of each kind: a list to choose from, not a list to read. */
const offered = 5;

export interface Found {
  readonly targets: readonly Target[];
  /** The server has not answered yet. */
  readonly isSearching: boolean;
}

/** Everything whose name has what was typed: pages at once, jobs and sources of the tenant from the server. */
export function useGoTo(typed: string, tenantId: string): Found {
  const asked = usePaused(typed.trim());
  const pages = usePages(typed);
  const foundJobs = useJobs(tenantId, asked);
  const foundSources = useSources(tenantId, asked);
  return {
    targets: [...pages, ...foundJobs.targets, ...foundSources.targets],
    isSearching: typed.trim() !== asked || foundJobs.isSearching || foundSources.isSearching,
  };
}

/** What was typed, once nothing more has been for a moment. */
function usePaused(typed: string): string {
  const { clock } = usePortal();
  const [paused, setPaused] = useState(typed);
  useEffect(() => clock.after(pauseMs, () => setPaused(typed)), [clock, typed]);
  return paused;
}

function usePages(typed: string): readonly Target[] {
  const text = useText();
  const role = roleOf(useChosenWorker());
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    pageRoutes
      .filter((route) => route.group !== undefined && (route.action === undefined || (role !== null && mayDo(role, route.action))))
      .map((route) => ({
        to: route.path,
        label: text(route.title),
        group: route.group === undefined ? '' : text(groupTitles[route.group]),
      }))
      // A page that is alone in its group has the group's name.
      .map((target) => (target.group === target.label ? { ...target, group: text('shell.page') } : target))
      .map((target) => ({ target, rank: rankOf(target, typed, words) }))
      .filter(({ rank }) => rank !== null)
      .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
      .map(({ target }) => target)
  );
}

/** What a page is called counts more than where it belongs: "restore" means the page before its whole group. Null is no match. */
function rankOf({ label, group }: Target, typed: string, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  if (name.startsWith(typed.trim().toLowerCase())) return 0;
  if (words.every((word) => name.includes(word))) return 1;
  return words.every((word) => `${name} ${group.toLowerCase()}`.includes(word)) ? 2 : null;
}

function useJobs(tenantId: string, search: string): Found {
  const text = useText();
  const isAsked = useMay('jobs.read') && search.length >= fewestLetters && tenantId !== '';
  const query = { search, limit: offered, sort: 'name' } as const;
  const answer = useQuery({ ...read(jobs.list, { params: { tenantId }, query, quiet: true }), enabled: isAsked });
  const found = isAsked ? (answer.data?.items ?? []) : [];
  return {
    isSearching: isAsked && answer.isPending,
    targets: found.map((job) => ({
      to: jobAddress(job),
      label: job.name,
      group: text('shell.goToJob'),
    })),
  };
}

/** Mailboxes, drives, sites and teams that a location holds: they open where they are restored from. */
function useSources(tenantId: string, search: string): Found {
  const codeText = useCodeText();
  const isAsked = useMay('content.browse') && search.length >= fewestLetters && tenantId !== '';
  const held = useHeldSources(tenantId, { search, limit: offered, sort: 'name' }, { enabled: isAsked });
  if (!isAsked) return { targets: [], isSearching: false };
  const targets = (held.sources ?? []).map(({ source, locationId, locationName }) => ({
    to: restoreLink({ ...source, locationId }),
    label: nameWithAddress(source),
    group: held.locations > 1 ? `${codeText(source.kind)}, ${locationName}` : codeText(source.kind),
  }));
  return { targets, isSearching: held.isPending };
}
