"""SNMP: how a subagent speaks to the agent, snmpd, which has a process of its own."""
