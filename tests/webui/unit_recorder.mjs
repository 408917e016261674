/** A reporter of Vitest that writes the record of tests beside their sources; all run again. */
import { append } from './record.mjs';

const failed = (test, errors) =>
  append({
    test,
    outcome: 'failed',
    again: 'all',
    text: errors.map((each) => each.stack ?? each.message).join('\n'),
  });

export default class {
  onTestRunStart() {
    append({ began: true });
  }

  onTestCaseResult(test) {
    const name = `webui/${test.module.relativeModuleId} › ${test.fullName}`;
    const { state, errors } = test.result();
    if (state === 'failed') failed(name, errors);
    else append({ test: name, outcome: state });
  }

  onTestModuleEnd(module) {
    const errors = module.errors();
    if (errors.length) failed(`webui/${module.relativeModuleId}`, errors);
  }

  onTestRunEnd(modules, errors, reason) {
    const early = errors.map((each) => each.message).join('; ');
    append({ ended: reason === 'passed' ? 0 : 1, early });
  }
}
