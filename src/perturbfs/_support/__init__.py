"""Code that is about neither data nor methods; its modules are imported one by one."""
