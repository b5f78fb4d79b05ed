import type { SourceReference } from '@holdfast/contract/jobs';
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';

const reference = z.object({ id: z.string(), name: z.string(), address: z.string() });
const wantedJob = z.object({
  workload: z.enum(['onedrive', 'sharepoint']),
  coverage: z.literal('chosen'),
  sites: z.array(reference),
  locationId: z.string(),
});

/** Opens the steps of a job that deletes restore points of one site; of OneDrives the reader chooses the person next. */
export function useDeletionJobOf(): (place: { readonly locationId: string }, site: SourceReference | null) => void {
  const navigate = useNavigate();
  return ({ locationId }, site) =>
    void navigate('/archive/deletion-jobs/new', {
      state: {
        wantedJob: {
          workload: site === null ? 'onedrive' : 'sharepoint',
          coverage: 'chosen',
          sites: site === null ? [] : [site],
          locationId,
        } satisfies z.infer<typeof wantedJob>,
      },
    });
}

/** What the page before wants a new job to begin with, if it says so. */
export function useWantedJob(): z.infer<typeof wantedJob> | null {
  const { state } = useLocation();
  return useMemo(() => {
    const parsed = z.object({ wantedJob }).safeParse(state);
    return parsed.success ? parsed.data.wantedJob : null;
  }, [state]);
}
