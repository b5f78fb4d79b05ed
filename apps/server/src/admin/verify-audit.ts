import { AppError } from '@holdfast/foundation/errors';
import { withFeatures } from '../product/start-product.ts';
import { counted, type Command } from './command.ts';

/** Checks the whole audit log; fails when anything does not fit. */
export const verifyAudit: Command = {
  name: 'verify-audit',
  summary: 'Checks every event, number, subtree, checkpoint and signature of the audit log.',
  options: {},
  async run({ config, logger, print }) {
    await withFeatures({ config, logger }, async ({ auditLog }) => {
      const report = await auditLog.verify();
      for (const problem of report.problems) print(problem);
      if (!report.ok) {
        throw new AppError('audit.tampered', {
          message: `The audit log does not fit: ${counted(report.problems.length, 'problem')} in ${counted(report.events, 'event')}.`,
        });
      }
      print(`The audit log is whole: ${counted(report.events, 'event')}, ${counted(report.checkpoints, 'signed checkpoint')}.`);
    });
  },
};
