/** The steps that a form's values lead to, tried before anything is created. */
import type { TFunction } from 'i18next';

import { call } from '../../api/client';
import { Refusal } from '../../api/refusal';
import { nested } from '../../declarations/declarations';
import type { DryRun } from '../../resources/form/Impact';
import type { Chosen, Values } from '../../resources/form/values';
import { isFibreChannel, reachedAt } from './commandParts';
import { arrayPorts, chosenPorts } from './fibreChannel';
import { type Fields, NotComplete, protocolOf, read, svmOf } from './form';
import { type Answers, fieldOf, plan, type Step } from './plan';
import { group, situation } from './situation';

export interface Reviewed {
  answers: Answers;
  steps: Step[];
  /** The answers to dry runs of the steps that could be tried. */
  dryRuns: (DryRun | undefined)[];
  hasAddresses: boolean;
}

/** Try all that can be tried. Throws NotComplete. */
export async function review(t: TFunction, values: Values, fields: Fields): Promise<Reviewed> {
  const protocol = protocolOf(values);
  const svm = svmOf(values);
  const chosen = (values['igroup'] as Chosen | undefined)?.name;
  const known =
    values['host'] === 'existing_host' && svm && chosen
      ? await group(svm, protocol, chosen)
      : undefined;
  const ports = svm ? await arrayPorts(svm, protocol) : [];
  const lacking = chosenPorts(ports, values['ports']).filter((port) => !port.interface);
  const names = lacking.map(({ name }) => name);
  const answers = read(t, values, fields, known?.osType ?? '', names);
  if (!answers.host && !known) throw new NotComplete({ igroup: t('The array does not know it.') });
  const present = await situation(svm, protocol);
  const steps = plan(answers, present.service);
  const dryRuns = await Promise.all(steps.map((step) => (step.isTried ? tried(step) : undefined)));
  const all = [...fields.first, ...fields.more].map(({ name }) => name);
  if (isFibreChannel(protocol)) all.push('ports');
  const refused = refusals(steps, dryRuns, all);
  if (Object.keys(refused).length) throw new NotComplete(refused);
  return {
    answers,
    steps,
    dryRuns,
    hasAddresses: names.length > 0 || reachedAt(present).length > 0,
  };
}

/** Return the refusals, by the field that they are about; '' where the form has none. */
function refusals(
  steps: readonly Step[],
  dryRuns: readonly (DryRun | undefined)[],
  fields: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    steps.flatMap((step, index) =>
      (dryRuns[index]?.refusals ?? []).map(({ message, target }) => {
        const field = fieldOf(step, target ?? '');
        return [fields.includes(field) ? field : '', message];
      }),
    ),
  );
}

/** Try a step by a dry run. A request that is refused as a whole becomes its only refusal. */
async function tried({ method, to, body }: Step): Promise<DryRun> {
  try {
    return await call<DryRun>(method, to, { dry_run: true }, nested(body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, target } = error;
    return {
      refusals: [{ message, target }],
      changes: [],
      hosts: [],
      aggregates: [],
      own_connection: false,
    };
  }
}
