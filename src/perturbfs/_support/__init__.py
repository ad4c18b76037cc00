"""Support code that concerns neither data nor methods; import its modules one by one."""
