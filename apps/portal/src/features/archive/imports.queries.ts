import { importPartBytes, imports, type ImportFile, type ImportReport } from '@holdfast/contract/imports';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { apiOf } from '../../api/query-client.ts';
import { read } from '../../api/queries.ts';

const pollMs = 1_000;

/** What is uploaded, and where to. */
export interface Upload {
  readonly tenantId: string;
  readonly locationId: string;
  readonly file: File;
  /** Of the bytes that are there, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends what is missing of a file, part by part. One whose upload was interrupted goes on where it was. */
export function useUpload(): UseMutationResult<ImportFile, Error, Upload> {
  const queries = useQueryClient();
  return useMutation<ImportFile, Error, Upload>({
    mutationFn: async ({ tenantId, locationId, file, onProgress }) => {
      const api = apiOf(queries);
      const params = { tenantId };
      const { items } = await api.send(imports.files, { params });
      const begun = items.find(({ name, sizeBytes }) => name === file.name && sizeBytes === file.size);
      const there = begun ?? (await api.send(imports.addFile, { params, body: { name: file.name, sizeBytes: file.size, locationId } }));
      const received = new Set(there.received);
      for (let part = 0; part < there.parts; part += 1) {
        onProgress(part / there.parts);
        if (received.has(part)) continue;
        const form = new FormData();
        form.append('file', file.slice(part * importPartBytes, (part + 1) * importPartBytes), file.name);
        await api.send(imports.putPart, { params: { tenantId, fileId: there.fileId, part }, form });
      }
      return there;
    },
    meta: {},
  });
}

/** What an import came to, asked for until its run has ended. */
export function useImportReport(tenantId: string, jobId: string): UseQueryResult<ImportReport> {
  return useQuery({
    ...read(imports.report, { params: { tenantId, jobId }, quiet: true, background: true }),
    refetchInterval: (query) => (query.state.data?.isEnded === true ? false : pollMs),
  });
}
