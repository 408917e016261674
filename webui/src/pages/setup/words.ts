/** The names of the steps, and their reasons. */
import type { TFunction } from 'i18next';

import type { StepName } from './setup';

export function stepTitle(t: TFunction, name: StepName): string {
  switch (name) {
    case 'password':
      return t('Password of the administrator');
    case 'time':
      return t('Time servers');
    case 'management':
      return t('Address for management');
    case 'disks':
      return t('Disks');
    case 'aggregate':
      return t('Aggregate');
    case 'svm':
      return t('SVM and its protocols');
    case 'data_interfaces':
      return t('Interfaces for data');
    case 'host_access':
      return t('Access of hosts');
    case 'storage':
      return t('First LUN or namespace');
    case 'host':
      return t('A host is connected');
  }
}

export function purpose(t: TFunction, name: StepName): string {
  switch (name) {
    case 'password':
      return t('Whoever knows it can do everything. Choose one that nobody else knows.');
    case 'time':
      return t('Logs, certificates and schedules need the right time.');
    case 'management':
      return t('A static address, at which you always reach this page.');
    case 'disks':
      return t('Empty disks become part of an aggregate. What holds data is never overwritten.');
    case 'aggregate':
      return t(
        'Disks in RAID groups, and one pool of space. Without a RAID type the array picks the one that suits their number.',
      );
    case 'svm':
      return t('What hosts see as one array of its own: its volumes, interfaces and protocols.');
    case 'data_interfaces':
      return t(
        'The addresses at which hosts reach the SVM. Two on different networks survive the loss of one.',
      );
    case 'host_access':
      return t('Which hosts may see what: initiator groups for LUNs, subsystems for namespaces.');
    case 'storage':
      return t('A LUN or a namespace that is mapped to a host. It is there at once.');
    case 'host':
      return t('Commands for the host are on the page on which you provide it with storage.');
  }
}
