import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a third of their run and more: begun last, they would be waited for alone. */
const longest = ['seeds.long.test.ts', 'simulated-faults.long.test.ts', 'crash/kill.long.test.ts'];
const rankOf = (moduleId: string): number => {
  const rank = longest.findIndex((name) => moduleId.endsWith(name));
  return rank === -1 ? longest.length : rank;
};

/** Journeys run by their numbers: the short ones come while the product still makes its first backups, which later ones need. */
export class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files.filter((file) => file.project.name !== 'e2e'));
    const journeys = files.filter((file) => file.project.name === 'e2e');
    others.sort((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
    return [...others, ...journeys.sort((one, other) => one.moduleId.localeCompare(other.moduleId))];
  }
}
