"""The installer: from questions or an answer file to a system disk that boots."""
